"""Every address of the site, by the app that answers it."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

from config import health

# One way to sign in, whose failures are counted; the admin's own form would count none.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("rating.urls")),
    path("studio/", include("studio.urls")),
    path("accounts/", include("accounts.urls")),
    path("admin/", admin.site.urls),
    path("language/", set_language, name="set_language"),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
]
