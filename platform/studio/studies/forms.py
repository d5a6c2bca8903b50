"""What researchers type about a study's people, checked before a service sees it."""

from django import forms

from evaluation.errors import UploadError
from evaluation.invitees import Invitee, read_people


class InviteForm(forms.Form):
    people = forms.CharField(max_length=50_000, widget=forms.Textarea(attrs={"rows": 4}))
    quota = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)
    days = forms.IntegerField(min_value=1, max_value=1000, initial=60)
    send = forms.BooleanField(required=False, initial=True)

    def clean_people(self) -> list[Invitee]:
        try:
            return read_people(self.cleaned_data["people"])
        except UploadError as error:
            raise forms.ValidationError(error.problems) from error
