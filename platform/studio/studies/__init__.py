"""The researchers' pages about studies: design, texts, launch, reviewers, coverage."""

from django.urls import path

from studio.studies import (
    acting,
    balance,
    conflicts,
    index,
    invitations,
    members,
    new,
    people_files,
    preview,
    settings,
    study,
    texts,
    withdrawal,
)

urlpatterns = [
    path("studies/", index.index, name="studies"),
    path("studies/new/", new.new, name="study_new"),
    path("studies/<uuid:public_id>/", study.study, name="study"),
    path("studies/<uuid:public_id>/edit/", new.edit, name="study_edit"),
    path("studies/<uuid:public_id>/settings/", settings.settings, name="study_settings"),
    path("studies/<uuid:public_id>/preview/", preview.preview, name="study_preview"),
    path("studies/<uuid:public_id>/add/<slug:source>/", texts.add, name="study_add"),
    path("studies/<uuid:public_id>/do/<slug:action>/", acting.act, name="study_action"),
    path("studies/<uuid:public_id>/invite/", invitations.invite_people, name="study_invite"),
    path("studies/<uuid:public_id>/people/", members.people, name="study_people"),
    path("studies/<uuid:public_id>/people/links.csv", people_files.links, name="study_links"),
    path("studies/<uuid:public_id>/people/participants.csv", people_files.participants, name="study_participants"),
    path("studies/<uuid:public_id>/people/<int:pk>/<slug:action>/", members.member, name="study_member"),
    path("studies/<uuid:public_id>/withdrawal/", withdrawal.withdrawal, name="study_withdrawal"),
    path("studies/<uuid:public_id>/balance/", balance.balance, name="study_balance"),
    path("studies/<uuid:public_id>/conflicts/", conflicts.conflicts, name="study_conflicts"),
    path(
        "studies/<uuid:public_id>/invitations/<uuid:invitation_id>/<slug:action>/",
        invitations.act,
        name="study_invitation",
    ),
]
