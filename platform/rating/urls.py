from django.urls import path

from rating import home, joining, reminders, slots, studies

urlpatterns = [
    path("", home.home, name="home"),
    path("join/<str:token>/", joining.join, name="join"),
    path("rate/<uuid:study_id>/", studies.study, name="study"),
    path("rate/<uuid:study_id>/answers/", studies.answers, name="study_answers"),
    path("rate/<uuid:study_id>/done/", studies.done, name="study_done"),
    path("reminders/<str:token>/", reminders.reminders, name="reminders"),
    path("texts/<uuid:slot_id>/", slots.slot, name="slot"),
    path("texts/<uuid:slot_id>/skip/", slots.skip, name="slot_skip"),
]
