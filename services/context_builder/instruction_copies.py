"""Which instruction files say nothing of their own: other names of one real file, copies of what holds there anyway.

Such a file is covered by another. It says nothing as long as that one is told; where the cut takes that one, it counts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from .instruction_files import Cover, Instruction, InstructionFiles, Skipped, instruction
from .layers import Unit


@dataclass(frozen=True, slots=True)
class Found:
    """The instruction file of a directory. `identity` is the same for all names of one real file, `real` its own."""

    directory: str
    text: str
    identity: tuple[int, int]
    real: bool


def instructions(files: Sequence[Found]) -> list[Instruction]:
    """The files as instructions, in the order given, which is by depth and path.

    A file is covered by the nearest one above that says the same. Of other names of one real file the real one counts,
    else the first, for the others' directories too; but where a file above would then be told later, or one below
    earlier, a name counts by itself.
    """
    above = _nearest_above(files)
    copies = {number: nearest for number, nearest in above.items() if files[nearest].text == files[number].text}
    covers = _in_order(copies | _other_names(files, copies), above)
    also: dict[int, list[str]] = {}
    for number, counts in covers.items():
        if copies.get(number) != counts:
            also.setdefault(counts, []).append(files[number].directory)
    found = [instruction(file.directory, file.text, also.get(number, ())) for number, file in enumerate(files)]
    for number, counts in covers.items():
        same_file = files[counts].identity == files[number].identity
        found[number] = replace(found[number], cover=Cover(found[counts].unit.id, same_file))
    return found


def _other_names(files: Sequence[Found], copies: Mapping[int, int]) -> dict[int, int]:
    """The names of a real file that say nothing of their own, by number, each with the one that counts."""
    names: dict[tuple[int, int], list[int]] = {}
    for number, file in enumerate(files):
        if number not in copies:
            names.setdefault(file.identity, []).append(number)
    found: dict[int, int] = {}
    for numbers in names.values():
        counts = min(numbers, key=lambda number: (not files[number].real, number))
        found.update((number, counts) for number in numbers if number != counts)
    return found


def _in_order(covers: Mapping[int, int], above: Mapping[int, int]) -> dict[int, int]:
    """Those of the covers with which no file is told before one above it, over which it must win."""
    kept = dict(sorted(covers.items()))

    def place(number: int) -> int:
        while number in kept:
            number = kept[number]
        return number

    settled = False
    while not settled:
        settled = True
        for number, nearest in above.items():
            if place(nearest) > place(number):
                settled = False
                del kept[number if number in kept else nearest]
    return kept


def _nothing(_: Sequence[Unit]) -> AbstractSet[str]:
    return frozenset()


def told_once(
    files: InstructionFiles, cut_off: Callable[[Sequence[Unit]], AbstractSet[str]] = _nothing
) -> InstructionFiles:
    """Without what is covered by a file that the cut leaves; that is named among the skipped.

    `cut_off` tells the ids of the units that the cut takes, which are always the first ones.
    """
    gone: frozenset[str] = frozenset()
    while True:
        covers = {one.unit.id: one.cover for one in files.found if one.cover is not None and one.unit.id not in gone}
        covers = {name: cover for name, cover in covers.items() if cover.id in files.ids and cover.id not in gone}
        if not covers:
            return files
        told = tuple(one for one in files.found if one.unit.id not in covers)
        dropped = cut_off([one.unit for one in told if one.unit.id not in gone])
        if dropped.isdisjoint(cover.id for cover in covers.values()):
            return InstructionFiles(told, (*files.skipped, *_skipped(covers)))
        ids = [one.unit.id for one in files.found]
        gone = frozenset(ids[: max(ids.index(name) for name in dropped) + 1])


def _skipped(covers: Mapping[str, Cover]) -> Iterable[Skipped]:
    for name, cover in covers.items():
        counts = cover.id
        while counts in covers:
            counts = covers[counts].id
        why = f"the same file as {counts}" if cover.same_file else f"says the same as {counts}, which holds here too"
        yield Skipped(name, why)


def _nearest_above(files: Sequence[Found]) -> dict[int, int]:
    """For each file the nearest one in the directories above, where there is one."""
    places = {file.directory: number for number, file in enumerate(files)}
    found = {}
    for number, file in enumerate(files):
        nearest = next((places[parent] for parent in _parents(file.directory) if parent in places), None)
        if nearest is not None:
            found[number] = nearest
    return found


def _parents(directory: str) -> Iterable[str]:
    while directory:
        directory = directory.rpartition("/")[0]
        yield directory
