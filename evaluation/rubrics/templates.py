"""The two criteria of the method's paper, worded and exemplified for this project.

The examples are synthetic: written to show a level, reporting no real work.
"""

from dataclasses import replace

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from evaluation.rubrics.specs import AnchorSpec, CriterionSpec, LevelSpec

__all__ = ["IMPORTANCE", "MEANINGFULNESS", "TEMPLATES", "worded_templates"]

SYNTHETIC = _("(Synthetic example.)")


def _synthetic(body: str, explanation: str) -> AnchorSpec:
    return AnchorSpec(body=body, explanation=f"{explanation} {SYNTHETIC}")


MEANINGFULNESS = CriterionSpec(
    key="meaningfulness",
    name=_("Meaningfulness"),
    definition=_(
        "Does the abstract take up the central concepts of its field, get them right, and tie them together in a "
        "way that an expert would recognise? Judge the ideas, not the polish of the language."
    ),
    levels=(
        LevelSpec(
            "low",
            _("Low"),
            _("Key concepts are missing, wrong, or only strung together."),
            (
                _synthetic(
                    _(
                        "Flotation, grinding and sustainability are important for minerals. Bubbles make the grinding "
                        "finer, and so the ore becomes more sustainable."
                    ),
                    _(
                        "The words belong to the field, but bubbles do not grind: the sentence joins what has no such "
                        "relation."
                    ),
                ),
                _synthetic(
                    _(
                        "This study considers many aspects of tailings. Various methods were applied and several "
                        "results were obtained, which are discussed in detail."
                    ),
                    _("No concept is named that could be right or wrong."),
                ),
            ),
        ),
        LevelSpec(
            "medium",
            _("Medium"),
            _("Fitting concepts, but shallow, or only loosely related to each other."),
            (
                _synthetic(
                    _(
                        "Thickened tailings hold less water than slurry. They were compared with filtered tailings. "
                        "Both can be stored, and both have an effect on the stability of the dam."
                    ),
                    _("All of it is true and in place, but how the water is tied to stability is left open."),
                ),
            ),
        ),
        LevelSpec(
            "high",
            _("High"),
            _("The right concepts, used correctly and in depth, joined to one line of thought."),
            (
                _synthetic(
                    _(
                        "Filtering tailings to below 20 % water lowers the pore pressure that builds up under fast "
                        "loading. In shaken columns the filtered material dilated where the slurry liquefied, so the "
                        "height of a stack is limited by drainage rather than by strength."
                    ),
                    _(
                        "Water content, pore pressure and failure are tied into one argument that a geotechnical "
                        "engineer would follow."
                    ),
                ),
            ),
        ),
    ),
)
IMPORTANCE = CriterionSpec(
    key="importance",
    name=_("Importance"),
    definition=_(
        "Suppose the abstract reports real work. How much would it matter to the field: would people change what "
        "they study, build or decide because of it?"
    ),
    levels=(
        LevelSpec(
            "low",
            _("Low"),
            _("Of little consequence: known already, trivial, or of no use to anyone."),
            (
                _synthetic(
                    _(
                        "We weighed 40 samples of sand before and after drying. The dry samples were lighter than the "
                        "wet ones in every case."
                    ),
                    _("Sound, and known to everybody."),
                ),
            ),
        ),
        LevelSpec(
            "medium",
            _("Medium"),
            _("Useful to some in the field; a step, though not one to wait for."),
            (
                _synthetic(
                    _(
                        "A collector made from rapeseed oil recovered as much chalcopyrite in a laboratory cell as the "
                        "usual xanthate, at twice the dose."
                    ),
                    _("Those who look for such collectors would read on; plants would not change yet."),
                ),
            ),
        ),
        LevelSpec(
            "high",
            _("High"),
            _("Many in the field would want to know it, and some would act on it."),
            (
                _synthetic(
                    _(
                        "In 212 dams watched for nine years, a rise of pore pressure over two wet seasons foretold "
                        "eleven of the twelve failures, five months ahead on average, from sensors that most dams have "
                        "already."
                    ),
                    _("Operators and regulators could act on it at once."),
                ),
            ),
        ),
    ),
)
TEMPLATES: tuple[CriterionSpec, ...] = (MEANINGFULNESS, IMPORTANCE)


def worded_templates() -> tuple[CriterionSpec, ...]:
    """The templates in the language of who designs a study; keys and values stay."""
    return tuple(
        replace(
            spec,
            name=gettext(spec.name),
            definition=gettext(spec.definition),
            levels=tuple(_worded(level) for level in spec.levels),
        )
        for spec in TEMPLATES
    )


def _worded(level: LevelSpec) -> LevelSpec:
    anchors = tuple(
        AnchorSpec(
            gettext(anchor.body),
            f"{gettext(anchor.explanation.removesuffix(SYNTHETIC).rstrip())} {gettext(SYNTHETIC)}",
        )
        for anchor in level.anchors
    )
    return replace(level, label=gettext(level.label), definition=gettext(level.definition), anchors=anchors)
