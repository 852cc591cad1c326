"""What a commit did to sections: which one before is which one after, on all the pages it touched."""

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence

from assistant.model.sections import ChangeKind, PlacedBlock, SectionChange
from assistant.text.likeness import hardly_edited, likely_pairs
from assistant.text.wording import classify

_ENOUGH_WORDS = 8
"""A text of so many words that stands elsewhere unchanged is the same section; a shorter one needs more to say so."""
_RENAMED_SHARE = 0.5
"""The share of a page's sections that another page must have taken over to be the same page under a new name."""


def match_sections(before: Sequence[PlacedBlock], after: Sequence[PlacedBlock]) -> list[SectionChange]:
    """Pairs the sections of all pages a commit touched, and says what happened to each; unchanged ones have kind None.

    In the order of `after`, with the removed ones behind. Needs time in proportion to the text, not to the pairs.
    """
    pairing = _Pairing(before, after)
    pairing.pair_by(_same_in_place)
    pairing.pair_by(_same_words_elsewhere, _same_text_on_page, _same_text)
    pairing.pair_alike()
    pairing.follow_pages()
    pairing.pair_by(_place)
    return pairing.changes()


Key = Callable[[PlacedBlock], Hashable]


def _same_in_place(section: PlacedBlock) -> Hashable:
    return section.path, section.block.heading_path, section.block.source


def _place(section: PlacedBlock) -> Hashable:
    return section.path, section.block.heading_path


def _same_text_on_page(section: PlacedBlock) -> Hashable:
    return section.path, section.block.source


def _same_text(section: PlacedBlock) -> Hashable | None:
    return section.block.source if _says_enough(section) else None


def _same_words_elsewhere(section: PlacedBlock) -> Hashable | None:
    return (section.block.heading_path, section.block.source) if _says_enough(section) else None


def _says_enough(section: PlacedBlock) -> bool:
    return len(section.block.body.split()) >= _ENOUGH_WORDS


class _Pairing:
    """The sections before and after, by number, and which of them belong together so far."""

    def __init__(self, before: Sequence[PlacedBlock], after: Sequence[PlacedBlock]) -> None:
        self.before = before
        self.after = after
        self.old_of: dict[int, int] = {}
        self.new_of: dict[int, int] = {}

    def pair(self, old: int, new: int) -> None:
        self.old_of[new] = old
        self.new_of[old] = new

    def left(self) -> tuple[list[int], list[int]]:
        """The numbers of what has no counterpart yet."""
        return (
            [number for number in range(len(self.before)) if number not in self.new_of],
            [number for number in range(len(self.after)) if number not in self.old_of],
        )

    def pair_by(self, *keys: Key) -> None:
        """Pairs what has the same key, duplicates in their order; a key of None pairs with nothing."""
        for key in keys:
            old, new = self.left()
            if not old or not new:
                return
            waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
            for number in old:
                waiting[key(self.before[number])].append(number)
            waiting.pop(None, None)
            for number in new:
                same = waiting.get(key(self.after[number]))
                if same:
                    self.pair(same.popleft(), number)

    def pair_alike(self) -> None:
        """Pairs what was edited or moved with edits, the likest first."""
        old, new = self.left()
        if not old or not new:
            return
        if len(old) == len(new) == 1 and _place(self.before[old[0]]) == _place(self.after[new[0]]):
            return
        self.pair_hardly_edited(old, new)
        old, new = self.left()
        taken_old: set[int] = set()
        taken_new: set[int] = set()
        for i, j in likely_pairs([self.before[number] for number in old], [self.after[number] for number in new]):
            if i not in taken_old and j not in taken_new:
                taken_old.add(i)
                taken_new.add(j)
                self.pair(old[i], new[j])

    def pair_hardly_edited(self, old: Sequence[int], new: Sequence[int]) -> None:
        """Pairs what was edited a little where it stands: no other can be likelier, so none need be looked at."""
        old_at, new_at = self._by_place(self.before, old), self._by_place(self.after, new)
        for place, numbers in old_at.items():
            others = new_at.get(place, ())
            if len(numbers) == len(others) == 1 and hardly_edited(self.before[numbers[0]], self.after[others[0]]):
                self.pair(numbers[0], others[0])

    def _by_place(self, sections: Sequence[PlacedBlock], numbers: Sequence[int]) -> dict[Hashable, list[int]]:
        places: defaultdict[Hashable, list[int]] = defaultdict(list)
        for number in numbers:
            places[_place(sections[number])].append(number)
        return places

    def follow_pages(self) -> None:
        """Pairs what stands at the same place of a page that only has a new name, or says there the same."""
        renamed = self._renamed_pages()
        if not renamed:
            return

        def source(section: PlacedBlock) -> Hashable | None:
            return renamed.get(section.path, section.path), section.block.source

        def place(section: PlacedBlock) -> Hashable | None:
            return renamed.get(section.path, section.path), section.block.heading_path

        self.pair_by(source, place)

    def _renamed_pages(self) -> dict[str, str]:
        """The new path of each page that is gone and of which most sections turned up on one new page."""
        paths_before = {section.path for section in self.before}
        paths_after = {section.path for section in self.after}
        votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        sizes: Counter[str] = Counter(section.path for section in self.before)
        for old, new in self.new_of.items():
            votes[self.before[old].path][self.after[new].path] += 1
        left_old, left_new = self.left()
        homes: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)
        for number in left_new:
            homes[self.after[number].block.source][self.after[number].path] += 1
        for number in left_old:
            for path in homes.get(self.before[number].block.source, ()):
                votes[self.before[number].path][path] += 1
        renamed: dict[str, str] = {}
        for path, counted in votes.items():
            new_path, count = max(counted.items(), key=lambda item: (item[1], item[0]))
            gone = path not in paths_after and new_path not in paths_before
            if gone and count >= sizes[path] * _RENAMED_SHARE and new_path not in renamed.values():
                renamed[path] = new_path
        return renamed

    def changes(self) -> list[SectionChange]:
        """What happened to each section."""
        in_order = self._in_order()
        found = [self._change(number, number in in_order) for number in range(len(self.after))]
        gone, _ = self.left()
        return found + [SectionChange(ChangeKind.REMOVED, self.before[number], None) for number in gone]

    def _change(self, number: int, in_order: bool) -> SectionChange:
        after = self.after[number]
        if number not in self.old_of:
            return SectionChange(ChangeKind.ADDED, None, after)
        before = self.before[self.old_of[number]]
        kind = classify(before.block, after.block)
        if kind is not ChangeKind.MODIFIED and not (in_order and _same_parent(before, after)):
            kind = ChangeKind.MOVED
        return SectionChange(kind, before, after)

    def _in_order(self) -> set[int]:
        """The numbers of sections after that stayed on their page in an order that they had before."""
        pages: defaultdict[str, list[int]] = defaultdict(list)
        for new, old in self.old_of.items():
            if _same_parent(self.before[old], self.after[new]):
                pages[self.after[new].path].append(new)
        kept: set[int] = set()
        for numbers in pages.values():
            numbers.sort(key=lambda new: self.before[self.old_of[new]].index)
            places = [self.after[new].index for new in numbers]
            kept.update(numbers[at] for at in longest_rising(places))
        return kept


def _same_parent(before: PlacedBlock, after: PlacedBlock) -> bool:
    return before.path == after.path and before.block.heading_path[:-1] == after.block.heading_path[:-1]


def longest_rising(values: Sequence[int]) -> Iterable[int]:
    """Where the members of a longest rising subsequence stand."""
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for at, value in enumerate(values):
        rank = bisect_left(tails, value)
        previous.append(ends[rank - 1] if rank else -1)
        tails[rank : rank + 1] = [value]
        ends[rank : rank + 1] = [at]
    at = ends[-1] if ends else -1
    while at >= 0:
        yield at
        at = previous[at]
