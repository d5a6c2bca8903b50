"""What a researcher says about people, checked before a service sees it."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.errors import UploadError
from evaluation.invitee_files import read_people_file
from evaluation.invitees import Invitee, read_people
from evaluation.models import Invitation, Membership

LARGEST_FILE = 2 * 1024 * 1024
MOST_MAILS = 200
MOST_TEXTS = 1_000_000


class LinkForm(forms.Form):
    """What all links have in common."""

    quota = forms.IntegerField(min_value=1, max_value=MOST_TEXTS, required=False)
    days = forms.IntegerField(min_value=1, max_value=1000, initial=60)


class PeopleForm(LinkForm):
    """People who are named here, or in a file, get a link each."""

    people = forms.CharField(max_length=50_000, required=False, widget=forms.Textarea(attrs={"rows": 4}))
    file = forms.FileField(required=False)
    kind = forms.ChoiceField(
        choices=[
            (Invitation.Kind.PERSONAL, gettext_lazy("Works again and again, until it runs out")),
            (Invitation.Kind.ONCE, gettext_lazy("Works once; afterwards they sign in by a mailed code")),
        ],
        initial=Invitation.Kind.PERSONAL,
    )
    send = forms.BooleanField(required=False, initial=True)

    def clean_people(self) -> list[Invitee]:
        pasted = self.cleaned_data["people"]
        try:
            return read_people(pasted) if pasted.strip() else []
        except UploadError as error:
            raise forms.ValidationError(error.problems) from error

    def clean_file(self) -> list[Invitee]:
        file = self.cleaned_data["file"]
        if not file:
            return []
        if file.size > LARGEST_FILE:
            words = _("%(file)s is larger than 2 MB. Split it, and upload the parts.")
            raise forms.ValidationError(words % {"file": file.name})
        try:
            return read_people_file(file.read(), name=file.name)
        except UploadError as error:
            raise forms.ValidationError(error.problems) from error

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if self.errors:
            return said
        everybody = [*said["people"], *said["file"]]
        if not everybody:
            self.add_error("people", _("Name somebody: one person a line, or a CSV file."))
        addresses = [person.email for person in everybody if person.email]
        if twice := {address for address in addresses if addresses.count(address) > 1}:
            self.add_error("people", _("Named twice: %(addresses)s.") % {"addresses": ", ".join(sorted(twice))})
        if said.get("send") and len(addresses) > MOST_MAILS:
            words = _("At most %(most)s mails go out at once. Make the links without mailing them, or split the list.")
            self.add_error("send", words % {"most": MOST_MAILS})
        once = Invitation.Kind.ONCE
        if stuck := [one.name for one in everybody if not one.email and (one.kind or said["kind"]) == once]:
            words = _("A link that works once needs an address to come back by: %(names)s.")
            self.add_error("people", words % {"names": ", ".join(stuck[:5])})
        return said | {"everybody": everybody}


class SharedForm(LinkForm):
    """One link for many."""

    name = forms.CharField(max_length=150)
    most_uses = forms.IntegerField(min_value=1, max_value=100_000, required=False)


class HelperForm(forms.Form):
    """Somebody to run or to read the study."""

    name = forms.CharField(max_length=150)
    email = forms.EmailField(max_length=254)
    role = forms.ChoiceField(
        choices=[
            (Membership.Role.VIEWER, gettext_lazy("Viewer: reads the study’s page and report")),
            (Membership.Role.MANAGER, gettext_lazy("Manager: runs the study")),
        ]
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=[(role, role) for role in (Membership.Role.MANAGER, Membership.Role.VIEWER)])


class QuotaForm(forms.Form):
    quota = forms.IntegerField(min_value=1, max_value=MOST_TEXTS, required=False)
