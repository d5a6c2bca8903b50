"""Roles, quotas, and who owns a study."""

import pytest

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Event, Membership, Study
from evaluation.services.allocation import claim_next
from evaluation.services.members import change_quota, change_role, hand_over, readmit_member, remove_member
from tests.factories import make_open_study, make_researcher, make_reviewer, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_open_study(created_by=make_researcher())[0]


def joined(study: Study, role: str) -> Membership:
    return Membership.objects.create(study=study, user=make_user(username=f"a-{role}"), role=role)


def owner(study: Study) -> User:
    return Membership.objects.get(study=study, role="owner").user


def test_a_study_is_handed_over_and_is_never_without_an_owner(study: Study) -> None:
    old, manager = owner(study), joined(study, "manager")
    with pytest.raises(StudyError, match="needs its owner"):
        remove_member(member=Membership.objects.get(user=old), actor=old)
    with pytest.raises(StudyError, match="one owner"):
        change_role(member=Membership.objects.get(user=old), role="viewer", actor=old)
    with pytest.raises(StudyError, match="one owner"):
        change_role(member=manager, role="owner", actor=old)
    hand_over(member=manager, actor=old)
    assert owner(study) == manager.user
    assert Membership.objects.get(user=old).role == "manager"
    event = Event.objects.get(kind="study-handed-over")
    assert (event.actor, event.details["person"]) == (old, str(manager.user.public_id))


def test_nobody_both_rates_and_runs(study: Study) -> None:
    old = owner(study)
    fresh, busy = make_reviewer(study=study), make_reviewer(study=study, name="Busy")
    claim_next(study_id=study.pk, reviewer=busy)
    for act in (
        lambda member: change_role(member=member, role="manager", actor=old),
        lambda member: hand_over(member=member, actor=old),
        lambda member: remove_member(member=member, actor=old),
    ):
        with pytest.raises(StudyError):
            act(Membership.objects.get(user=busy))
    viewer = joined(study, "viewer")
    with pytest.raises(StudyError, match="cannot rate"):
        change_role(member=viewer, role="reviewer", actor=old)
    change_role(member=Membership.objects.get(user=fresh), role="viewer", actor=old)
    assert claim_next_is_refused(study, fresh)


def claim_next_is_refused(study: Study, user: User) -> bool:
    from evaluation.errors import NotYours

    with pytest.raises(NotYours):
        claim_next(study_id=study.pk, reviewer=user)
    return True


def test_managers_and_viewers_change_places_go_and_come_back(study: Study) -> None:
    old, member = owner(study), joined(study, "viewer")
    change_role(member=member, role="manager", actor=old)
    remove_member(member=member, actor=old)
    member.refresh_from_db()
    assert (member.role, member.removal) == ("manager", "keep")
    with pytest.raises(StudyError, match="does not take part"):
        hand_over(member=member, actor=old)
    readmit_member(member=member, actor=old)
    member.refresh_from_db()
    assert member.removed_at is None
    kinds = list(Event.objects.filter(study=study).values_list("kind", flat=True))
    assert [kind for kind in kinds if kind.startswith(("role", "member"))] == [
        "role-changed",
        "member-removed",
        "member-readmitted",
    ]


def test_a_larger_quota_gives_more_and_lets_who_had_finished_go_on(study: Study) -> None:
    old, reviewer = owner(study), make_reviewer(study=study, quota=1)
    member = Membership.objects.get(user=reviewer)
    Membership.objects.filter(pk=member.pk).update(finished_at=member.joined_at)
    change_quota(member=member, quota=2, actor=old)
    member.refresh_from_db()
    assert (member.quota, member.finished_at) == (2, None)
    with pytest.raises(StudyError, match="Only reviewers"):
        change_quota(member=joined(study, "manager"), quota=3, actor=old)
    assert Event.objects.get(kind="quota-changed").details["before"] == 1
