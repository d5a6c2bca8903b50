"""The forms of signing in: the package's own, with names outside the fields only, and no word on who has an account."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    ChangePasswordForm,
    ConfirmLoginCodeForm,
    LoginForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
)
from django import forms
from django.http import HttpRequest


class Plain:
    """Placeholders that repeat the labels are left out."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class SignInForm(Plain, LoginForm):  # type: ignore[misc]
    """Password managers are told that a user name fits too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class CodeForm(Plain, RequestLoginCodeForm):  # type: ignore[misc]
    """Somebody without an account gets a mail as well, so that neither page nor time tells."""

    def clean_email(self) -> str:
        address: str = super().clean_email()
        if self._user is None:
            get_adapter().send_mail("account/email/unknown_account", address, {})
        return address


class ResetForm(Plain, ResetPasswordForm):  # type: ignore[misc]
    """The same for a forgotten password."""

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        address: str = super().save(request, **kwargs)
        if not self.users:
            get_adapter().send_mail("account/email/unknown_account", address, {})
        return address


class TypedCodeForm(Plain, ConfirmLoginCodeForm):  # type: ignore[misc]
    pass


class NewPasswordForm(Plain, SetPasswordForm):  # type: ignore[misc]
    pass


class OtherPasswordForm(Plain, ChangePasswordForm):  # type: ignore[misc]
    pass


class ForgottenPasswordForm(Plain, ResetPasswordKeyForm):  # type: ignore[misc]
    pass


class AddressForm(forms.Form):
    email = forms.EmailField(max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"}))

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class AddressCodeForm(forms.Form):
    code = forms.CharField(max_length=40, widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}))
