"""Files about people: the links that were made, and who of a panel has got how far."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from evaluation.models import Invitation, Study
from evaluation.reports.export.cells import csv_text
from evaluation.selectors.participants import panel_rows
from evaluation.selectors.watching import study_invitations
from evaluation.services.invitations import invitation_url
from studio.access import researcher_required

LINKS = ("name", "email", "role", "kind", "quota", "link", "state", "runs_out", "uses", "most_uses")
PARTICIPANTS = ("participant_id", "rated", "of", "joined", "finished", "withdrawn")


@never_cache
@require_GET
@researcher_required
def links(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The links that let somebody in, for a mail merge."""
    study = get_object_or_404(Study, public_id=public_id)
    usable = study_invitations(study=study).filter(revoked_at__isnull=True, expires_at__gt=timezone.now())
    rows = (
        (
            csv_text(one.name),
            csv_text(one.email),
            one.role,
            one.kind,
            one.quota,
            invitation_url(one),
            _state(one),
            _when(one.expires_at),
            one.uses,
            one.most_uses,
        )
        for one in usable
    )
    return _file(f"{slugify(study.title)[:60] or 'study'}-links.csv", LINKS, rows)


@never_cache
@require_GET
@researcher_required
def participants(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Panel id, progress, and whether the person has finished."""
    study = get_object_or_404(Study, public_id=public_id)
    rows = (
        (
            csv_text(row["participant_id"]),
            row["answered"],
            row["of"],
            _when(row["joined_at"]),
            _when(row["finished_at"]),
            _when(row["removed_at"]),
        )
        for row in panel_rows(study=study)
    )
    return _file(f"{slugify(study.title)[:60] or 'study'}-participants.csv", PARTICIPANTS, rows)


def _state(invitation: Invitation) -> str:
    if invitation.accepted_at:
        return "came"
    return "mailed" if invitation.sent_at else "not opened"


def _when(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else ""


def _file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """UTF-8 with a mark, by which spreadsheets know it."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    response = HttpResponse("\ufeff" + text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
