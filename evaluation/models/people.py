"""Who takes part in a study, and the links by which they come."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from evaluation.models.studies import Item, Study


class Membership(models.Model):
    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        MANAGER = "manager", _("manager")
        REVIEWER = "reviewer", _("reviewer")
        VIEWER = "viewer", _("viewer")

    class Removal(models.TextChoices):
        KEEP = "keep", _("keep the ratings")
        EXCLUDE = "exclude", _("leave the ratings out")
        REOPEN = "reopen", _("leave the ratings out and give the seats to others")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    # A trigger counts: whoever comes next gets the next number.
    number = models.PositiveSmallIntegerField(
        db_default=0, editable=False, help_text="The how-manieth person of the study, from 1."
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    quota = models.PositiveIntegerField(null=True, blank=True, help_text="The most items this reviewer is given.")
    joined_at = models.DateTimeField(db_default=Now(), editable=False)
    participant_id = models.CharField(max_length=200, blank=True, default="", help_text="As a panel names the person.")
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_sha256 = models.CharField(max_length=64, blank=True, default="", help_text="Of the text agreed to.")
    practised_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    takes_reminders = models.BooleanField(default=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    removal = models.CharField(max_length=10, choices=Removal.choices, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="membership_once"),
            models.UniqueConstraint(fields=["study", "number"], name="membership_number_once"),
            models.UniqueConstraint(
                fields=["study", "participant_id"], condition=~Q(participant_id=""), name="membership_participant_once"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="membership_number_from_one"),
            models.CheckConstraint(
                condition=Q(removal="", removed_at__isnull=True)
                | Q(removal__in=["keep", "exclude", "reopen"], removed_at__isnull=False),
                name="membership_removal_says_how",
            ),
            models.CheckConstraint(
                condition=Q(consented_at__isnull=True) | ~Q(consent_sha256=""), name="membership_consent_names_text"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["owner", "manager", "reviewer", "viewer"]), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.role}"


class Invitation(models.Model):
    """A link: it makes an account when accepted, and signs in until it expires or is revoked.

    A personal link signs its one person in as often as they like, a one-time link once. A shared link makes another
    account for everyone who accepts it.
    """

    class Kind(models.TextChoices):
        PERSONAL = "personal", _("personal, works again and again")
        ONCE = "once", _("personal, works once")
        SHARED = "shared", _("for many people")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PERSONAL)
    role = models.CharField(
        max_length=10,
        choices=Membership.Role.choices,
        default=Membership.Role.REVIEWER,
        help_text="What the person becomes; ownership is handed over, never sent.",
    )
    most_uses = models.PositiveIntegerField(null=True, blank=True, help_text="How many may come by a shared link.")
    uses = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=150)
    email = models.EmailField(blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="invitations"
    )
    quota = models.PositiveIntegerField(null=True, blank=True, help_text="The most texts this person is given.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "email"],
                condition=~Q(email="") & Q(revoked_at__isnull=True),
                name="invitation_email_once",
            ),
            models.CheckConstraint(condition=Q(kind__in=["personal", "once", "shared"]), name="invitation_kind_known"),
            models.CheckConstraint(
                condition=Q(role="reviewer") | Q(role__in=["manager", "viewer"], kind="once"),
                name="invitation_to_the_studio_once",
            ),
            models.CheckConstraint(
                condition=~Q(kind="shared") | Q(email="", user__isnull=True), name="invitation_shared_is_nobodys"
            ),
            models.CheckConstraint(
                condition=Q(most_uses__isnull=True) | Q(uses__lte=F("most_uses")), name="invitation_uses_within"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Conflict(models.Model):
    """A text that a person must not be given: they wrote its source, say."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conflicts")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="conflicts")
    reason = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "user"], name="conflict_once")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.item_id}"


class Event(models.Model):
    """Something that whoever reads the report may ask about: who did what to a study, and when. Append-only."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="events")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    kind = models.SlugField(max_length=60)
    details = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["study", "kind"], name="event_of_study")]

    def __str__(self) -> str:
        return f"{self.study_id} · {self.kind}"
