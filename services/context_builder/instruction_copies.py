"""Which instruction files say nothing of their own: other names of one real file, copies of what holds there anyway.

Such a file is covered by another. It says nothing as long as that one is told; where the cut takes that one, it counts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from .instruction_files import Cover, Instruction, InstructionFiles, Skipped, label
from .layers import Unit


def covered(files: Sequence[Instruction]) -> list[Instruction]:
    """The same with what covers each, in the order given, which is by depth and path, and rows last.

    A file is covered by the nearest one above that says the same. Of other names of one real file the real one counts,
    else the first, for the others' directories too; but where a file above would then be told later, or one below
    earlier, a name counts by itself.
    """
    above = _nearest_above(files)
    copies = {
        number: nearest for number, nearest in above.items() if files[nearest].unit.text == files[number].unit.text
    }
    covers = _in_order(copies | _other_names(files, copies), above)
    also: dict[int, list[str]] = {}
    for number, counts in covers.items():
        if copies.get(number) != counts:
            also.setdefault(counts, []).append(files[number].scope or "")
    return [
        replace(_labelled(file, also.get(number, ())), cover=_cover(files, file, covers.get(number)))
        for number, file in enumerate(files)
    ]


def _cover(files: Sequence[Instruction], file: Instruction, counts: int | None) -> Cover | None:
    if counts is None:
        return None
    return Cover(files[counts].unit.id, files[counts].identity == file.identity)


def _labelled(file: Instruction, also: Sequence[str]) -> Instruction:
    if file.scope is None:
        return file
    told = label(file.scope, also)
    return file if told == file.unit.label else replace(file, unit=replace(file.unit, label=told))


def _other_names(files: Sequence[Instruction], copies: Mapping[int, int]) -> dict[int, int]:
    """The names of a real file that say nothing of their own, by number, each with the one that counts."""
    names: dict[tuple[int, int], list[int]] = {}
    for number, file in enumerate(files):
        if number not in copies and file.identity is not None:
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

    `cut_off` tells the ids of the units that the cut takes, which are always the first ones. What it takes covers
    nothing and wins over nothing: what is left is looked at as if it had never been there.
    """
    places = {one.unit.id: place for place, one in enumerate(files.found)}
    left = _covered_here(files)
    gone: set[str] = set()
    while True:
        told = [one.unit for one in left if one.cover is None]
        taken = cut_off(told)
        if taken.isdisjoint(one.cover.id for one in left if one.cover is not None):
            taken = frozenset()
        last = max((places[name] for name in gone | taken), default=-1)
        more = {unit.id for unit in told if places[unit.id] <= last}
        if not more:
            break
        gone |= more
        left = covered([one for one in left if one.unit.id not in gone])
    kept = [one for one in left if one.cover is None]
    found = sorted((*(one for one in files.found if one.unit.id in gone), *kept), key=lambda one: places[one.unit.id])
    if gone and not gone <= cut_off([one.unit for one in found]):
        return InstructionFiles(tuple(_labelled(one, ()) for one in files.found), files.skipped)
    return InstructionFiles(tuple(found), (*files.skipped, *_skipped(left)))


def _covered_here(files: InstructionFiles) -> Sequence[Instruction]:
    """The files with their covers, looked for again where the scope left some of these out."""
    ids = files.ids
    whole = all(one.cover is None or one.cover.id in ids for one in files.found)
    return files.found if whole else covered(files.found)


def _skipped(files: Sequence[Instruction]) -> Iterable[Skipped]:
    covers = {one.unit.id: one.cover for one in files if one.cover is not None}
    for name, cover in covers.items():
        counts = cover.id
        while counts in covers:
            counts = covers[counts].id
        why = f"the same file as {counts}" if cover.same_file else f"says the same as {counts}, which holds here too"
        yield Skipped(name, why)


def _nearest_above(files: Sequence[Instruction]) -> dict[int, int]:
    """For each file the nearest one in the directories above, where there is one."""
    places = {file.scope: number for number, file in enumerate(files) if file.scope is not None}
    found = {}
    for number, file in enumerate(files):
        nearest = next((places[parent] for parent in _parents(file.scope or "") if parent in places), None)
        if nearest is not None:
            found[number] = nearest
    return found


def _parents(directory: str) -> Iterable[str]:
    while directory:
        directory = directory.rpartition("/")[0]
        yield directory
