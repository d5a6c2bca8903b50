"""The pages on which a study is watched: progress, quality, disagreements to settle, the closing question."""

import csv
import io
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.invitees import Invitee
from evaluation.models import Adjudication, AuthorshipGuess, Event, Membership, Slot, Study
from evaluation.services.allocation import claim_next
from evaluation.services.invitations import accept_invitation, invite
from tests.evaluation.selectors.guesses import guess, study_with_sources
from tests.evaluation.services.answers import answer
from tests.factories import make_open_study, make_rated_study, make_researcher, make_user

pytestmark = pytest.mark.django_db

ANSWERS = {"clarity": [["low", "low"], ["low", "high"], ["medium", "high"]]}


@pytest.fixture
def studio(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


def address(study: Study, page: str, *more: Any) -> str:
    return reverse(f"studio:study_{page}", args=[study.public_id, *more])


def words(response: Any) -> str:
    body = response.content.decode().split("<main", 1)[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def test_progress_tells_who_came_who_did_not_and_when_it_may_end(studio: Client) -> None:
    study, (rita, _) = make_open_study(texts=40, reviewers=2, raters_per_item=1)
    invite(study=study, people=[Invitee("Absent Ann", "ann@example.org")])
    for _ in range(12):
        answer(claim_next(study_id=study.pk, reviewer=rita).slot, rita, seconds_active=30)
    page = words(studio.get(address(study, "progress")))
    assert "12 of 40 ratings" in page
    assert "1 reviewer has begun" in page
    assert "30 s active time a rating, median" in page
    assert "Reviewer 2 not begun" in page
    assert "Invited and not come They are in no count above. Absent Ann ann@example.org link not mailed" in page
    assert "When all ratings may be in cannot be said: fewer than 3 whole days so far." in page
    Study.objects.update(launched_at=timezone.now() - timedelta(days=5))
    for back, slot in enumerate(Slot.objects.all()):
        Slot.objects.filter(pk=slot.pk).update(answered_at=timezone.now() - timedelta(days=1 + back % 4))
    response = studio.get(address(study, "progress"))
    assert "All ratings may be in about" in words(response)
    assert "if 3.0 ratings go on coming a day" in words(response)
    assert response.context["chart"]["total"] == 12
    assert "<svg" in response.content.decode()
    assert "All ratings may be in about" in words(studio.get(reverse("studio:study", args=[study.public_id])))


def test_a_reminder_by_hand_shows_first_who_gets_it(studio: Client, django_capture_on_commit_callbacks: Any) -> None:
    study, _ = make_open_study(texts=3, reviewers=1)
    for name in ("Rita", "Kim"):
        accept_invitation(invitation=invite(study=study, people=[Invitee(name, f"{name}@example.org")])[0])
    Membership.objects.filter(user__first_name="Kim").update(takes_reminders=False)
    page = words(studio.get(address(study, "progress")))
    assert "1 reviewer gets a mail: Rita Rita@example.org Send 1 reminder" in page.replace("rita@", "Rita@")
    assert "Kim wants no reminders" in page
    assert "Reviewer 1 no e-mail address" in page
    with django_capture_on_commit_callbacks() as sent:
        assert "1 reminder is on its way" in words(studio.post(address(study, "remind"), follow=True))
    assert len(sent) == 1
    assert Event.objects.filter(kind="reminders-sent").count() == 1
    Membership.objects.update(reminded_at=timezone.now())
    assert "There is nobody to remind now." in words(studio.post(address(study, "remind"), follow=True))
    assert mail.outbox == []


def flagged_study() -> Study:
    mixed = [("low", "medium", "high")[n % 3] for n in range(20)]
    return make_rated_study(answers={"clarity": [[level, "medium"] for level in mixed]})


def test_quality_flags_with_numbers_and_what_they_may_also_mean(studio: Client) -> None:
    study = flagged_study()
    page = words(studio.get(address(study, "quality")))
    assert "“Medium” in 100 % of 20 ratings, while all together use the levels more evenly." in page
    assert "It may also mean: The reviewer may have been given texts of one kind" in page
    assert "Leiner 2019" in page
    calm = words(studio.get(address(make_rated_study(answers=ANSWERS), "quality")))
    assert "Nothing stands out." in calm


def test_quality_as_csv_is_safe_in_a_spreadsheet(studio: Client) -> None:
    study = flagged_study()
    member = Membership.objects.filter(study=study).order_by("number")[1]
    member.user.first_name = '=HYPERLINK("x")'
    member.user.save()
    response = studio.get(address(study, "quality_csv"))
    assert response.headers["Content-Disposition"] == 'attachment; filename="tailings-abstracts-quality.csv"'
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert [(row["label"], row["one_level_flagged"], row["largest_share"]) for row in rows] == [
        ("R1", "false", "0.35"),
        ("R2", "true", "1.0"),
    ]
    assert rows[1]["reviewer"] == '\'=HYPERLINK("x")'


def test_the_widest_disagreement_is_settled_with_a_reason(studio: Client) -> None:
    study = make_rated_study(answers=ANSWERS)
    page = words(studio.get(address(study, "adjudication")))
    assert page.index("S002") < page.index("S003")
    assert "S001" not in page
    item = study.items.get(position=2)
    settle = address(study, "adjudicate", item.public_id)
    shown = words(studio.get(settle))
    assert "Text 2 on tailings." in shown
    assert "reviewer-" not in shown
    refused = studio.post(settle, {"level-clarity": "1", "reason": " "})
    assert refused.status_code == 422
    assert "Say why" in words(refused)
    done = words(studio.post(settle, {"level-clarity": "1", "reason": "As defined."}, follow=True))
    assert "S002 is settled. Agreement stays as it was." in done
    assert "S003" in done
    stored = Adjudication.objects.get()
    assert (stored.item, stored.level.value, stored.decided_by and stored.decided_by.username) == (
        item,
        "medium",
        "renata",
    )
    assert "settled" in words(studio.get(address(study, "adjudication")))
    assert "Nothing new" in words(studio.post(settle, {"level-clarity": "1", "reason": "As defined."}, follow=True))


@pytest.mark.parametrize("level", ["", "7", "-1", "x", "9" * 30, "\0"])
def test_a_level_that_is_not_there_is_refused_in_words(studio: Client, level: str) -> None:
    study = make_rated_study(answers=ANSWERS)
    item = study.items.get(position=2)
    response = studio.post(address(study, "adjudicate", item.public_id), {"level-clarity": level, "reason": "Why"})
    assert response.status_code == 422
    assert not Adjudication.objects.exists()


def test_the_queue_is_hidden_with_agreement(studio: Client) -> None:
    study = make_rated_study(answers=ANSWERS, raters_per_item=3, agreement_from=100)
    item = study.items.get(position=2)
    for page in (address(study, "adjudication"), address(study, "adjudicate", item.public_id)):
        assert "Agreement is hidden for now" in words(studio.get(page))
    studio.post(address(study, "adjudicate", item.public_id), {"level-clarity": "1", "reason": "Why"})
    assert not Adjudication.objects.exists()
    other = make_rated_study(answers=ANSWERS, title="Another")
    assert studio.get(address(other, "adjudicate", item.public_id)).status_code == 404


def test_the_closing_question_says_why_there_is_no_answer(studio: Client) -> None:
    study = make_rated_study(answers=ANSWERS, asks_authorship=True)
    assert "Nobody has answered" in words(studio.get(address(study, "authorship")))
    reviewer = Membership.objects.filter(study=study)[0].user
    for item in study.items.all():
        AuthorshipGuess.objects.create(item=item, reviewer=reviewer, guess="person")
    page = words(studio.get(address(study, "authorship")))
    assert "3 guesses on uploaded texts are left out" in page
    assert "Closing question" in words(studio.get(reverse("studio:study", args=[study.public_id])))


def test_the_closing_question_is_answered_with_intervals_and_against_chance(studio: Client) -> None:
    study = study_with_sources(people=3, machines=4)
    for name, people, machines in (("rita", "ppp", "mmmp"), ("kim", "pmu", "mmmm")):
        guess(study, make_user(username=name), people=people, machines=machines)
    page = words(studio.get(address(study, "authorship")))
    # 4 of 5 definite guesses on people's texts and 7 of 8 on generated ones are right: J = 0.8 + 0.875 - 1.
    assert "Youden’s index is 0.68" in page
    assert "Sensitivity 0.80 (0.38 to 0.96; 4 of 5)" in page
    assert "Specificity 0.88 (0.53 to 0.98; 7 of 8)" in page
    assert "Texts by people 4 1 1 6" in page
    assert "Generated texts 1 7 0 8" in page
    # Fisher: (40 + 1) of the 1287 tables with these margins are as improbable as this one or more so.
    assert "p = 0.032" in page


def test_reviewers_see_none_of_it() -> None:
    study, (reviewer, _) = make_open_study(texts=3, reviewers=2)
    client = Client()
    client.force_login(reviewer)
    for page in ("progress", "quality", "quality_csv", "adjudication", "authorship"):
        assert client.get(address(study, page)).status_code == 403
    assert client.post(address(study, "remind")).status_code == 403
    assert client.post(address(study, "report_open")).status_code == 403


def test_no_page_costs_more_statements_with_more_data(studio: Client, django_assert_max_num_queries: Any) -> None:
    small, large = make_rated_study(answers=ANSWERS), make_rated_study(answers={"clarity": ANSWERS["clarity"] * 10})
    for page, most in (("progress", 10), ("quality", 10), ("adjudication", 6), ("authorship", 6)):
        counts = []
        for study in (small, large):
            with django_assert_max_num_queries(most) as asked:
                assert studio.get(address(study, page)).status_code == 200
            counts.append(len(asked))
        assert counts[0] == counts[1], page
