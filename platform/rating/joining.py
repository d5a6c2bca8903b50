"""The way in by an invitation link: looking is free, the confirmation signs in."""

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.selectors.invitations import invitation_of_token
from evaluation.services.invitations import LinkUnusable, accept_invitation, check_usable

CUT = "This link is incomplete, or a newer one has replaced it. Copy it whole, or ask whoever invited you for it again."
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    invitation = invitation_of_token(token)
    if invitation is None:
        return render(request, "rating/link_unusable.html", {"refusal": CUT}, status=404)
    context = {"invitation": invitation, "study": invitation.study}
    try:
        check_usable(invitation)
        if request.method != "POST":
            is_other = request.user.is_authenticated and request.user.pk != invitation.user_id
            return render(request, "rating/join.html", context | {"is_other": is_other})
        user = accept_invitation(invitation=invitation)
    except LinkUnusable as refusal:
        return render(request, "rating/link_unusable.html", context | {"refusal": str(refusal)}, status=410)
    if request.user.pk != user.pk:
        login(request, user, backend=BACKEND)
    return redirect("study", invitation.study.public_id)
