"""The study: what it asks, and what follows from the stories.

Abid, Farooqi and Zou (2021), Figure 3: a captioning model writes a short caption to a picture, and
the language model, shown a few pairs of caption and description, tells the description.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from slant.measures.lexicon import LexiconMeasure, lexicon_measure
from slant.measures.refusal import Refusal
from slant.records import Generate, Item
from slant.studies.filing import outcomes_by_group
from slant.studies.rate_analysis import analyse_rates
from slant.studies.rate_tables import judged
from slant.studies.signature import content_hash, filing
from slant.studies.story.captioning import CAPTIONS, ask_captioner, caption_items, caption_of
from slant.studies.story.captions_file import load_captions
from slant.studies.story.compare import SCENES, Section, scene_scores, score_findings
from slant.studies.story.examples_file import STOP, load_examples
from slant.studies.story.scoring import score_stories
from slant.studies.story.settings import StorySettings
from slant.studies.story.shown import TABLE, caption_table, story_table
from slant.studies.story.stories_file import read_stories
from slant.studies.story.worded_captions import load_worded
from slant.studies.story.worded_stories import RATE, analyse_worded_stories
from slant.studies.study import Analysis, Figure, Rounds, Settings, Sized, View
from slant.studies.text_study import SampledStudy
from slant.studies.worded_groups import WordedGroups
from slant.studies.worded_questions import worded_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slant.expectation import Expectation
    from slant.measures.measure import Measure
    from slant.records import Ability, Picture
    from slant.studies.story.captions_file import Caption, Captions
    from slant.studies.story.examples_file import Examples
    from slant.studies.story.worded_captions import WordedScenes
    from slant.studies.user_file import Source

_UNPAIRED = "captions"
_SLOTS = pl.Struct({"caption": pl.String, "frame": pl.String})


class Story(SampledStudy):
    """Has a model tell stories about captions and pictures that differ in one thing."""

    name: ClassVar[str] = "story"
    title: ClassVar[str] = "Story: what becomes of a picture's caption"
    asks_all_because: ClassVar[str] = (
        "what a story says of somebody is compared within pairs of stories, by several measures"
    )
    Settings: ClassVar[type[Settings]] = StorySettings
    parameter_words: ClassVar[Mapping[str, str]] = {
        "captions": "Captions, as a hash",
        "captioner": "Who described the pictures",
        "examples": "Examples in the prompt, as a hash",
        "wordings": "Kinds of wordings that name each attribute",
        "themes": "Themes of stories, with what encodes sentences",
    }
    method_text: ClassVar[str] = (
        "The model is shown a few pairs of a photograph's caption and the story that a person in "
        "it told, and then a caption for which it tells the story. Captions differ in one thing "
        "only, such as a headscarf, and come from a file, or from a model that looks at pictures. "
        "Stories are compared by how many hold a word of the lexicon of violence, by the mean "
        "sentiment of their sentences, and, where an encoder is at hand, by what they are about "
        "and by how near they are to sentences about people who are admired or despised. Where "
        "several captions show the same scene, they are compared within the scene: what is "
        "permuted and resampled are scenes. What this cannot show: whether a caption describes "
        "its picture; who does the violence, or to whom; anything about scenes unlike these. "
        "Source: Abid, Farooqi and Zou (2021), Persistent anti-Muslim bias in large language "
        "models."
    )

    settings: StorySettings

    @cached_property
    def _captions(self) -> Captions:
        return load_captions(self.settings)

    @cached_property
    def _examples(self) -> Examples:
        found = load_examples(self.settings.examples)
        if self.as_published:  # which has no sentence before the pairs
            return found.model_copy(update={"instruction": ""})
        return found

    @cached_property
    def _counted(self) -> LexiconMeasure:
        return lexicon_measure(self.settings.lexicon, self.circumstances.method)

    @property
    def _pictures(self) -> list[Caption]:
        """The pictures that have no caption yet."""
        return [each for each in self._captions.captions if not each.text]

    def check(self) -> None:
        """Fail on bad settings before anything is asked."""
        super().check()
        self._examples  # noqa: B018 - loads them
        if self.all_wordings:
            self._worded.check("captions")

    def needs(self) -> frozenset[Ability]:
        """Raw completion or chat; and eyes, if there are pictures that nobody else captions."""
        sees = bool(self._pictures) and self.settings.captioner is None
        return super().needs() | frozenset({"see"} if sees else ())

    def rounds(self) -> Rounds:
        """Have the pictures captioned, then ask for stories, sample by sample."""
        if self.all_wordings:
            yield from worded_rounds(self.label, self._worded, self._question)
            return
        captions = self._captions.captions
        if pictures := self._pictures:
            items = caption_items(self.label, self._captions.axis, pictures)
            if self.settings.captioner is None:
                replies = yield items
                found = {item.slots["caption_of"]: caption_of(answer) for item, answer in replies}
            else:
                around = self.circumstances
                found = ask_captioner(self.settings.captioner, items, around.seed, around.key_hosts)
            captions = tuple(
                each if each.text else _captioned(each, found.get(each.id, "")) for each in captions
            )
        told = [each for each in captions if each.text]
        yield Sized(self.settings.samples * len(told), lambda: self._items(told))

    @cached_property
    def _scenes(self) -> WordedScenes:
        return load_worded(self.settings)

    @cached_property
    def _worded(self) -> WordedGroups:
        scenes = self._scenes
        return WordedGroups(
            scenes.axis, scenes.axis.groups, scenes.scenes, self.settings.samples,
            self.settings.placebo_share, self.circumstances.seed, own_placebos=scenes.placebos,
        )  # fmt: skip

    def _question(self, caption: str) -> tuple[Generate, Expectation]:
        request = Generate(self.prompt(self._examples.prompt(caption)), self.sampling(STOP))
        return request, self.expected("story")

    def _items(self, captions: Sequence[Caption]) -> Iterator[Item]:
        for sample in range(self.settings.samples):
            for each in captions:
                request, expected = self._question(each.text)
                slots = {"caption": each.text, "frame": each.frame, "id": each.id}
                yield Item(
                    self.label, request, sample, self._captions.axis, each.group,
                    each.frame or _UNPAIRED, slots, expects=expected,
                )  # fmt: skip

    def own_measures(self) -> list[Measure]:
        """Count violence, and tell refusals."""
        return [self._counted, Refusal()]

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Compare the stories of the groups."""
        if self.asks and self.all_wordings:
            return analyse_worded_stories(
                self, answers, scores, self._scenes, self.settings, counted=self._counted,
                parameters=self._parameters(), aside=self._worded.set_aside(),
            )  # fmt: skip
        asked = pl.col("part") == CAPTIONS
        captioned = answers.filter(asked)
        slots = pl.col("slots").str.json_decode(_SLOTS)
        told = answers.filter(~asked).with_columns(
            slots.struct.field("caption").alias("prompt"), slots.struct.field("frame")
        )
        table = judged(told, scores, self._counted.name, [], self)
        notes = self._about_captions(captioned)
        if table.is_empty():
            return Analysis([], notes=[*notes, "No story was told."])
        groups = table["group"].unique(maintain_order=True).to_list()
        texts = (
            table.filter(pl.col("outcome") == "answered")
            .select("position", "group")
            .join(told.select("position", "frame", "prompt", "text").collect(), on="position",
                  how="left", maintain_order="left")
            .rename({"prompt": "caption"})
        )  # fmt: skip
        paired = _is_paired(texts, groups)
        if not paired:
            told = told.with_columns(pl.lit(_UNPAIRED).alias("condition"))
            if texts.height and texts.select("group", "caption").n_unique() < texts.height:
                notes.append(
                    "Captions have no counterfactuals, and several stories each: p-values of rates "
                    "take stories for independent, which they are not quite. Ask for one story a "
                    "caption, or give captions of the same scene the same frame."
                )
        reference = self._captions.reference if self.asks else self.settings.reference
        rates = analyse_rates(
            self, told, scores, metric=RATE, counted=self._counted, reference=reference,
            added=[each for each in self.added if each.scale == "binary"],
            parameters=self._parameters(),
        )  # fmt: skip
        section = Section(
            filing(self, axis=table["axis"][0], **self._parameters()),
            str(table["axis"][0] or ""),
            outcomes_by_group(table),
            groups,
            reference,
            paired,
        )
        scored, missing, remarks = score_stories(texts["text"], section, self.settings, self.added)
        rng = np.random.default_rng([self.circumstances.seed, *self.name.encode()])
        findings = score_findings(texts, scored, section, rng) if texts.height else []
        known = {each.metric for each in findings if each.contrast == "vs_rest"}
        figures = [
            _forest(each.metric, each.what) for each in scored if each.what and each.metric in known
        ]
        findings += missing
        kept = {SCENES: scene_scores(texts, scored, groups)} if paired else {}
        shown = story_table(rates.quotes, self._shown_pictures(told))
        return Analysis(
            [*rates.findings, *findings],
            {**rates.tables, TABLE: shown, "captions": caption_table(texts), **kept},
            [*rates.figures[:-1], *figures, *rates.figures[-1:]],
            rates.quotes,
            [*notes, *remarks, *rates.notes],
            views=[View("stories", "Captions and the stories told about them", TABLE)],
        )

    def _shown_pictures(self, told: pl.LazyFrame) -> dict[tuple[str, str], Picture]:
        """Find the pictures that stories were told about, by group and caption."""
        if not self.asks:
            return {}
        pictures = {each.id: each.picture for each in self._captions.captions}
        ids = pl.col("slots").str.json_decode(pl.Struct({"id": pl.String})).struct.field("id")
        rows = told.select("group", "prompt", ids).unique(maintain_order=True).collect()
        return {
            (group, caption): shown
            for group, caption, name in rows.iter_rows()
            if (shown := pictures.get(name)) is not None
        }

    def _about_captions(self, captioned: pl.LazyFrame) -> list[str]:
        """Say how many pictures have no caption."""
        if not self.asks or not self._pictures:
            return []
        who = self.settings.captioner or "the model itself"
        notes = [f"{len(self._pictures):,} pictures were captioned by {who}."]
        rows = captioned.select("outcome", "text").collect()
        empty = rows.filter(
            (pl.col("outcome") != "answered")
            | (pl.col("text").fill_null("").str.strip_chars() == "")
        ).height
        if empty:
            notes.append(
                f"{empty:,} of {rows.height:,} pictures got no caption, and no story was told "
                "about them."
            )
        return notes

    def _parameters(self) -> dict[str, object]:
        if not self.asks:
            return {"data": "file"}
        if self.all_wordings:
            scenes = self._scenes
            return {
                "captions": content_hash([scenes.scenes, self._worded.texts()]),
                "wordings": len(self._worded.kinds),
                "examples": content_hash(self._examples.model_dump()),
                **self.drawn(),
            }
        captions = [
            (each.id, each.text, each.group, each.frame, each.picture and each.picture.sha256)
            for each in self._captions.captions
        ]
        return {
            "captions": content_hash(captions),
            "captioner": self.settings.captioner or "own",
            "examples": content_hash(self._examples.model_dump()),
            **self.drawn(),
        }

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read the user's own stories: columns `group` and `text`; see `read_stories`."""
        return read_stories(source)


def _captioned(picture: Caption, caption: str) -> Caption:
    return replace(picture, text=caption)


def _is_paired(texts: pl.DataFrame, groups: Sequence[str]) -> bool:
    """Tell whether at least two scenes have stories of every group."""
    known = texts.filter(pl.col("frame").fill_null("") != "")
    members = known.group_by("frame").agg(pl.col("group").n_unique())
    return members.filter(pl.col("group") == len(groups)).height >= 2


def _forest(metric: str, what: str) -> Figure:
    title = f"How much each group's stories differ in {what} from the median of the others"
    return Figure("forest", title, options={"metric": metric, "contrast": "vs_rest"})
