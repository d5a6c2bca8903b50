"""Signing in and out, and a new password: nobody registers, and nobody takes on another address."""

from allauth.account import views
from django.urls import path

from accounts.passwords import change_password

urlpatterns = [
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("password/change/", change_password, name="account_change_password"),
]
