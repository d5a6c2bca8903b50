"""Every address of the site, by the app that answers it."""

from django.contrib import admin
from django.urls import include, path

from config import health

urlpatterns = [
    path("", include("rating.urls")),
    path("studio/", include("studio.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
]
