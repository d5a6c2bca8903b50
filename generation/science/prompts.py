"""The three prompting strategies of the method, each in one frozen wording.

A wording is never edited: every generated abstract names the key, version and hash of its prompt, so a better wording
is a new version beside the old one.

A  zero-shot: the task and nothing else.
B  reflective: the same task after "take your time before answering", which asks for thought before text.
C  role: the same task, given to a postdoctoral researcher.
"""

import hashlib
import json
from dataclasses import dataclass

__all__ = ["PROMPTS", "PromptWording"]


@dataclass(frozen=True)
class PromptWording:
    """A system message and a template that holds `{query}` and `{abstracts}` once each."""

    key: str
    version: int
    name: str
    system: str
    template: str

    @property
    def sha256(self) -> str:
        """The hash of the wording alone: the name may be spelt otherwise, the words may not."""
        return hashlib.sha256(json.dumps([self.system, self.template]).encode()).hexdigest()


MATERIAL = """\
Research question:
{query}

Abstracts of published work on this question:

{abstracts}

"""

TASK = """\
Write the abstract of a new study that answers the research question. Build on the abstracts above, but do not copy \
their sentences and do not cite them by number. Say what the problem is, what was done, what was found and what it \
means, in one paragraph of 150 to 250 words. Answer with the abstract only: no title, no headings, no remarks."""

PROMPTS: tuple[PromptWording, ...] = (
    PromptWording(
        key="A",
        version=1,
        name="Zero-shot",
        system="You write abstracts for scientific papers.",
        template=MATERIAL + TASK,
    ),
    PromptWording(
        key="B",
        version=1,
        name="Take your time",
        system="You write abstracts for scientific papers.",
        template=MATERIAL
        + "Take your time before answering. Read the abstracts twice; consider, without writing it down, what they "
        "agree on, where they contradict each other, and which gap the question leaves open. Only then answer.\n\n"
        + TASK,
    ),
    PromptWording(
        key="C",
        version=1,
        name="Postdoctoral researcher",
        system=(
            "You are a postdoctoral researcher in the field of the research question. You know its literature and its "
            "methods from your own work, and you have written papers for its journals."
        ),
        template=MATERIAL + TASK,
    ),
)
