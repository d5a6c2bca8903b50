"""The sign-in form: the package's own, with names outside the fields only."""

from typing import Any

from allauth.account.forms import LoginForm


class SignInForm(LoginForm):  # type: ignore[misc]
    """Placeholders that repeat the labels are left out; password managers are told that a user name fits too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        self.fields["login"].widget.attrs["autocomplete"] = "username"
