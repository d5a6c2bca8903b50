from django.urls import path

from rating import views

urlpatterns = [path("", views.home, name="home")]
