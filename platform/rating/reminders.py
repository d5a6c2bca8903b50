"""The link in a reminder that stops reminders: signed, without a sign-in, and harmless to programs that open links."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from evaluation.selectors.reminders import membership_of_token
from evaluation.services.reminders import set_reminders


# Mail programs post here by themselves when the reader presses their button (RFC 8058), without a cookie of ours: the
# signature in the address stands in for it.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reminders(request: HttpRequest, token: str) -> HttpResponse:
    membership = membership_of_token(token)
    if membership is None:
        raise Http404
    if request.method == "POST":
        set_reminders(membership=membership, wanted=request.POST.get("wanted") == "1")
        membership.refresh_from_db(fields=["takes_reminders"])
    return render(request, "rating/reminders.html", {"membership": membership, "is_changed": request.method == "POST"})
