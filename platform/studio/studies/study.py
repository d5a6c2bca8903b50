"""A study's page: what it asks, which texts it holds, who rates, how far they are."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from evaluation.draws import describe_draw
from evaluation.models import Study
from evaluation.presentation import render_markdown
from evaluation.selectors.pace import study_pace
from evaluation.selectors.watching import coverage, item_rows, reviewer_rows, study_invitations
from evaluation.services.invitations import invitation_url
from evaluation.services.studies import stored_criteria
from studio.access import researcher_required
from studio.studies.draft import draft_context
from studio.studies.forms import InviteForm
from studio.studies.pace_chart import pace_chart
from studio.studies.protocol_words import option_lines, scale_lines
from studio.whole_numbers import whole_number

PAGE = 25


@require_GET
@researcher_required
def study(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = get_object_or_404(Study.objects.select_related("supersedes"), public_id=public_id)
    return render_study(request, found)


def render_study(
    request: HttpRequest, found: Study, *, status: int = 200, anchor: str = "", **forms: Any
) -> HttpResponse:
    """The page, with forms that were refused in place of empty ones."""
    start = whole_number(request.GET.get("after"), digits=9) or 0
    items = item_rows(study=found, after=start, limit=PAGE + 1)
    covered = coverage(study=found)
    criteria = stored_criteria(study=found)
    context = {
        "section": "studies",
        "study": found,
        "instructions": render_markdown(found.instructions),
        "consent": render_markdown(found.consent),
        "scale_lines": scale_lines(criteria),
        "options": option_lines(found),
        "draws": [describe_draw(draw) for draw in found.draws],
        "items": items[:PAGE],
        "next_after": items[PAGE - 1].position if len(items) > PAGE else None,
        "start": start,
        "coverage": covered,
        "is_complete": 0 < covered.seats == covered.rated,
        "tab": "overview",
        "texts": sum(texts for _, texts in covered.by_ratings),
        "reviewers": reviewer_rows(study=found),
        "invitations": [(invitation, invitation_url(invitation)) for invitation in study_invitations(study=found)],
        "invite_form": InviteForm(),
        "refused": anchor,
    }
    if found.state == Study.State.DRAFT:
        context |= draft_context(found, criteria)
    else:
        pace = study_pace(study=found)
        context |= {"pace": pace, "chart": pace_chart(pace.days)}
    return render(request, "studio/studies/study.html", context | forms, status=status)
