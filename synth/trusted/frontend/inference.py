"""What is known about the shapes of variables while a mechanism is lowered again and again.

Each pass joins the shapes of all values that a variable is assigned; a pass that changes nothing
is the last one.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from synth.trusted.errors import ProgramError
from synth.trusted.frontend import layout
from synth.trusted.frontend.shapes import MismatchError, counts_truth, is_widened, join
from synth.trusted.frontend.values import Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

MAX_PASSES = 50


class UnresolvedError(Exception):
    """A shape is not known yet in this pass; ``error`` says what is wrong if it never is."""

    def __init__(self, error: ProgramError) -> None:
        super().__init__()
        self.error = error


@dataclass
class Inference:
    """The shapes found by the pass before, and by this one so far."""

    shapes_before: dict[str, ir.Shape] = field(default_factory=dict)
    entries_before: dict[str, ir.Alternatives] = field(default_factory=dict)
    shapes: dict[str, ir.Shape] = field(default_factory=dict)
    all_entries: dict[str, ir.Alternatives] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    regrouped: bool = False
    uses_numpy: bool = False
    mixes: bool = False
    signs_zeros: bool = False
    walks: bool = False
    chosen: set[ast.expr] = field(default_factory=set)
    keys: dict[str, list[Value]] = field(default_factory=dict)
    changed_tallies: set[str] = field(default_factory=set)
    constants: dict[str, ir.Constant | None] = field(default_factory=dict)
    kinds: dict[str, frozenset[str]] = field(default_factory=dict)

    def add_shape(self, name: str, shape: ir.Shape) -> ir.Shape:
        """Join a shape to those of a variable.  Raises MismatchError."""
        known = self.shapes.get(name)
        self.shapes[name] = shape if known is None else join(known, shape)
        joined = self.shape(name) or shape
        self.check_truth((shape,), (joined,))
        return joined

    def add_key(self, place: str, key: Value) -> None:
        """Remember a key that the program mentions of a tally, for the next pass."""
        found = self.keys.setdefault(place, [])
        if key not in found:
            found.append(key)
            self.regrouped = True

    def note_assigned(self, name: str, constant: ir.Constant | None, kinds: frozenset[str]) -> None:
        """Remember the constant that an attribute is assigned wherever it is, and the types that it may have.

        None where it is assigned several, or something else.
        """
        same = self.constants.get(name, constant) == constant
        found = (constant if same else None, self.kinds.get(name, frozenset()) | kinds)
        changed = name not in self.kinds or found != (self.constants[name], self.kinds[name])
        self.regrouped = self.regrouped or changed
        self.constants[name], self.kinds[name] = found

    def note_changed(self, place: str) -> None:
        """Remember that a tally is changed after it was made, wherever that is."""
        self.regrouped = self.regrouped or place not in self.changed_tallies
        self.changed_tallies.add(place)

    def check_truth(self, given: ir.Alternatives, joined: ir.Alternatives) -> None:
        """Refuse truth values that count as numbers, if they may be numpy's.  Raises MismatchError.

        The sum of two of numpy's truth values is a truth value, not 2.
        """
        if any(is_widened(one, other) for one in given for other in joined):
            self.note_mixed()
        if self.uses_numpy and any(counts_truth(one, other) for one in given for other in joined):
            raise MismatchError

    def shape(self, name: str) -> ir.Shape | None:
        """The shape of a variable, None if nothing is known yet.  Raises MismatchError."""
        before, now = self.shapes_before.get(name), self.shapes.get(name)
        if before is None or now is None:
            return before or now
        return join(before, now)

    def add_entries(self, name: str, alternatives: ir.Alternatives) -> ir.Alternatives:
        """Add shapes that the entries of a list may have.  Raises MismatchError."""
        root = self._root(name)
        self.all_entries[root] = layout.merge(self.all_entries.get(root, ()), alternatives)
        return self.entries(name)

    def entries(self, name: str) -> ir.Alternatives:
        """The shapes that the entries of a list may have.  Raises MismatchError."""
        root = self._root(name)
        return layout.merge(self.entries_before.get(root, ()), self.all_entries.get(root, ()))

    def share_entries(self, name: str, other: str) -> None:
        """Let two lists have entries of the same shapes.  Raises MismatchError."""
        root, child = self._root(name), self._root(other)
        if root != child:
            self.groups[child] = root
            self.regrouped = True
            for entries in (self.entries_before, self.all_entries):
                moved = entries.pop(child, ())
                entries[root] = layout.merge(entries.get(root, ()), moved)

    def note_mixed(self) -> None:
        """Remember that numbers of two types, or truth values and numbers, are one value somewhere."""
        self.regrouped = self.regrouped or not self.mixes
        self.mixes = True

    def note_zero(self, number: ir.Expression) -> None:
        """Remember that a real is computed that is surely 0: for Python it may be ``-0.0``."""
        if number == builders.zero(ir.Sort.REAL):
            self.regrouped = self.regrouped or not self.signs_zeros
            self.signs_zeros = True

    def note_chosen(self, node: ast.expr) -> None:
        """Remember an item, or what a call gives, of which the data may decide the type."""
        self.regrouped = self.regrouped or node not in self.chosen
        self.chosen.add(node)

    def note_numpy(self) -> None:
        """Remember that values may be numpy's, whose truth values and integers aren't Python's."""
        self.regrouped = self.regrouped or not self.uses_numpy
        self.uses_numpy = True

    def _root(self, name: str) -> str:
        while name in self.groups:
            name = self.groups[name]
        return name

    def advance(self) -> bool:
        """Start the next pass; False if this one changed nothing."""
        now, before = (self.shapes, self.all_entries), (self.shapes_before, self.entries_before)
        if now == before and not self.regrouped:
            return False
        self.shapes_before, self.entries_before = now
        self.shapes, self.all_entries, self.regrouped = {}, {}, False
        return True
