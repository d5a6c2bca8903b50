"""Copyright notices are removed where they stand alone at an end, and nowhere else."""

import pytest

from corpora.importers.notices import strip_notices

BODY = "Froth depth governs selectivity. We measured it in three cells."


@pytest.mark.parametrize(
    "notice",
    [
        "© 2024 The Authors.",
        "© 2024 The Author(s). Published by Example University Press on behalf of a Society. All rights reserved.",
        "© The Author(s), under exclusive licence to Example Nature 2025.",
        "© 2021 Example B.V. All rights are reserved.",
        "©2019 the Author(s).",
        "© 1989 IEEE",
        "©",
        "© mExample. All rights reserved.",
        "Copyright 2016, Association for Examples (www.example.org). All rights reserved.",
        "Copyright: © 2022 Doe et al. This is an open access article distributed under the terms of the Creative "
        "Commons Attribution License, which permits unrestricted use.",
        "Copyright © 2022 by the Society of Examples.Unauthorized reproduction of this article is prohibited.",
        "(C) 1998 Example Science Ltd.",
        "© Ada M Doe, Bo Roe, José Pérez-Ejemplo. Originally published in the Journal of Examples "
        "(https://www.example.org), 07.07.2022.",
        "© 2021 Example Federation and IOS Press. © 2021 Example Federation and IOS Press. All rights reserved.",
    ],
)
def test_trailing_notice_goes(notice):
    stripped = strip_notices(f"{BODY} {notice}")
    assert stripped.text == BODY
    assert stripped.trailing == notice
    assert stripped.leading == ""


@pytest.mark.parametrize(
    ("notice", "rest"),
    [
        ("© 2021 by the authors. Licensee Example, Basel, Switzerland.", BODY),
        ("Copyright © 2010 Example Ltd. All rights reserved.", BODY),
        ("© 2020 J. B. Doe et al. This is an open access article under a licence.", "Background: Licences differ."),
    ],
)
def test_leading_notice_goes(notice, rest):
    stripped = strip_notices(f"{notice} {rest}")
    assert stripped.text == rest
    assert stripped.leading == notice


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        "We used paper folders, Excel© sheets and scanned files. The pathway was slow.",
        "Data were sent to Surgeon©, a secure platform. It worked in 2020.",
        "Sharing raises questions of copyright. Copyright protection is discussed and 2020 is reviewed.",
        "Old stock is dated. © 2019 Example Inc.; Records are the backbone of care and allow integration of data.",
        "Assays follow group (c) 2020 samples and rose.",
        "The mark © was studied for its history.",
    ],
)
def test_text_stays(text):
    assert strip_notices(text).text == text


def test_text_without_last_full_stop_loses_its_dated_notice():
    assert strip_notices("It achieves the same © 2022 IEEE.").text == "It achieves the same"


def test_a_notice_alone_leaves_nothing():
    assert strip_notices("© 2017 IEEE.").text == ""


def test_stripping_twice_changes_nothing_more():
    once = strip_notices(f"{BODY} © 2023 Example Inc. All rights reserved.").text
    assert strip_notices(once).text == once
