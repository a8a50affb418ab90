"""Programs with fewer exits: an exit at the end of its own block becomes an ``else``.

``if c: continue`` followed by the rest of the body is the same as ``if not c:`` the rest.  What
then still exits (``break``, ``return`` inside a loop) really steers control.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import syntax as ir

Body = tuple[ir.Statement, ...]


def normalize(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, without exits that only skip the rest of their block."""
    return replace(mechanism, body=_body(mechanism.body, None))


def _body(body: Body, label: str | None) -> Body:
    """``body`` with exits to ``label`` removed where they stand at its end."""
    result: list[ir.Statement] = []
    for position, statement in enumerate(body):
        rest = body[position + 1 :]
        match statement:
            case ir.Exit(label=target) if target == label:
                return tuple(result)
            case ir.Exit() | ir.Return():
                return (*result, statement)
            case ir.If(then=then, otherwise=otherwise):
                if not _can_end(then, label):
                    pass
                elif always_leaves(then):
                    changed = replace(
                        statement,
                        then=_body(then, label),
                        otherwise=_body((*otherwise, *rest), label),
                    )
                    return (*result, changed)
                elif always_leaves(otherwise):
                    changed = replace(
                        statement,
                        then=_body((*then, *rest), label),
                        otherwise=_body(otherwise, label),
                    )
                    return (*result, changed)
                if _can_end(otherwise, label) and always_leaves(otherwise):
                    changed = replace(
                        statement,
                        then=_body((*then, *rest), label),
                        otherwise=_body(otherwise, label),
                    )
                    return (*result, changed)
                inner = label if not rest else None
                result.append(replace(statement, then=_body(then, inner), otherwise=_body(otherwise, inner)))
            case ir.Block(label=own, body=inner_body):
                result.extend(_block(own, inner_body))
            case ir.Loop(body=inner_body):
                result.append(replace(statement, body=_body(inner_body, None)))
            case _:
                result.append(statement)
    return tuple(result)


def _block(label: str, body: Body) -> Body:
    simplified = _body(body, label)
    leaves = any(isinstance(inner, ir.Exit) and inner.label == label for inner in ir.statements(simplified))
    return (ir.Block(label, simplified),) if leaves else simplified


def _can_end(body: Body, label: str | None) -> bool:
    """Whether some path through ``body`` leaves by ``label``."""
    return label is not None and any(
        isinstance(inner, ir.Exit) and inner.label == label for inner in ir.statements(body)
    )


def always_leaves(body: Body) -> bool:
    """Whether no path falls off the end of ``body``."""
    if not body:
        return False
    match body[-1]:
        case ir.Exit() | ir.Return():
            return True
        case ir.If(then=then, otherwise=otherwise):
            return always_leaves(then) and always_leaves(otherwise)
        case _:
            return False
