from django.urls import path

from rating import account, closing, consent, home, joining, open_door, reminders, sessions, slots, studies

urlpatterns = [
    path("", home.home, name="home"),
    path("join/", joining.paste, name="join_paste"),
    path("join/study/<uuid:study_id>/", open_door.join_study, name="join_study"),
    path("join/<str:token>/", joining.join, name="join"),
    path("account/", account.account, name="account"),
    path("account/reminders/", account.reminders, name="account_reminders"),
    path("account/data/", account.data, name="account_data"),
    path("account/delete/", account.delete, name="account_delete"),
    path("rate/<uuid:study_id>/", studies.study, name="study"),
    path("rate/<uuid:study_id>/consent/", consent.consent, name="consent"),
    path("rate/<uuid:study_id>/answers/", studies.answers, name="study_answers"),
    path("rate/<uuid:study_id>/done/", studies.done, name="study_done"),
    path("rate/<uuid:study_id>/closing/", closing.closing, name="study_closing"),
    path("reminders/<str:token>/", reminders.reminders, name="reminders"),
    path("rate/session/", sessions.session, name="session"),
    path("texts/<uuid:slot_id>/", slots.slot, name="slot"),
    path("texts/<uuid:slot_id>/skip/", slots.skip, name="slot_skip"),
]
