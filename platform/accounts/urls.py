"""Signing in and out, an address, a password; nobody registers here."""

from allauth.account import views
from django.urls import path, re_path

from accounts import address, elsewhere
from accounts.json_answers import answers_json
from accounts.passwords import change_password, set_password

urlpatterns = [
    path("login/", answers_json(views.login), name="account_login"),
    path("login/code/", answers_json(views.request_login_code), name="account_request_login_code"),
    path("login/code/confirm/", answers_json(views.confirm_login_code), name="account_confirm_login_code"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("email/", address.email, name="account_email"),
    path("email/code/", address.confirm, name="account_confirm_email_code"),
    path("password/change/", change_password, name="account_change_password"),
    path("password/set/", set_password, name="account_set_password"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("password/reset/done/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[\w-]{1,100})/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("elsewhere/cancelled/", elsewhere.not_signed_in, name="socialaccount_login_cancelled"),
    path("elsewhere/failed/", elsewhere.not_signed_in, name="socialaccount_login_error"),
    path("elsewhere/<slug:provider_id>/", elsewhere.sign_in, name="openid_connect_login"),
    path("elsewhere/<slug:provider_id>/callback/", elsewhere.callback, name="openid_connect_callback"),
    path("elsewhere/<int:pk>/disconnect/", elsewhere.disconnect, name="account_disconnect"),
]
