"""What Python's constructs are called in messages, and which of them the language lacks."""

from __future__ import annotations

import ast

_UNSUPPORTED: dict[type[ast.AST], str] = {
    ast.AsyncFunctionDef: "an async function",
    ast.AsyncFor: "an async for loop",
    ast.AsyncWith: "an async with statement",
    ast.Await: "await",
    ast.ClassDef: "a class",
    ast.Global: "a global statement",
    ast.Import: "an import inside a function",
    ast.ImportFrom: "an import inside a function",
    ast.Match: "a match statement",
    ast.Nonlocal: "a nonlocal statement",
    ast.SetComp: "a set comprehension",
    ast.Try: "a try statement",
    ast.TryStar: "a try statement",
    ast.With: "a with statement",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
}
INFINITE = {"inf": 1, "+inf": 1, "-inf": -1, "infinity": 1, "+infinity": 1, "-infinity": -1}
"""What ``float`` takes for infinity, with its sign."""

_INSTEAD: dict[type[ast.AST], str] = {
    ast.BitXor: "a power is '**'",
}
_OPERATORS: dict[type[ast.AST], str] = {
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Invert: "~",
}
_OF_ARRAYS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert, ast.MatMult)
"""Operators that only arrays have."""

_SHIFTS = (ast.LShift, ast.RShift)

_STATEMENTS: dict[type[ast.AST], str] = {
    ast.FunctionDef: "a function definition",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.Assign: "this assignment",
    ast.AugAssign: "an augmented assignment",
    ast.AnnAssign: "an annotation without a value",
    ast.For: "a for loop",
    ast.While: "a while loop",
    ast.If: "an if statement",
    ast.Assert: "an assert statement",
    ast.Expr: "an expression statement",
    ast.Return: "a return statement",
    ast.Break: "a break statement",
    ast.Raise: "a raise statement",
    ast.Continue: "a continue statement",
    ast.Delete: "a del statement",
}
_EXPRESSIONS: dict[type[ast.AST], str] = {
    ast.Starred: "a star expression",
    ast.Attribute: "an attribute",
    ast.BinOp: "arithmetic",
    ast.BoolOp: "a condition",
    ast.Call: "a call",
    ast.Compare: "a comparison",
    ast.GeneratorExp: "a generator expression",
    ast.IfExp: "a conditional expression",
    ast.JoinedStr: "an f-string",
    ast.Lambda: "a lambda",
    ast.Set: "a set",
    ast.Dict: "a dict",
    ast.DictComp: "a dict comprehension",
    ast.ListComp: "a list comprehension",
    ast.NamedExpr: "an assignment expression (':=')",
    ast.Name: "a name",
    ast.Subscript: "a subscript",
    ast.UnaryOp: "arithmetic",
}


def name_of(node: ast.stmt | ast.expr) -> str:
    """A statement at module level, or an expression, for a message."""
    kind = type(node)
    names = (_STATEMENTS, _EXPRESSIONS, _UNSUPPORTED)
    return next((name[kind] for name in names if kind in name), f"'{kind.__name__}'")


def unsupported(node: ast.AST) -> str | None:
    """What is wrong with a node in itself, whatever stands below it; None if nothing."""
    name = _UNSUPPORTED.get(type(node))
    if name is not None:
        return f"{name} is not supported{_instead(node)}"
    match node:
        case ast.Constant():
            return _constant(node)
        case ast.BinOp(op=operator) | ast.UnaryOp(op=operator):
            return None if isinstance(operator, (*_OF_ARRAYS, *_SHIFTS)) else _operator(operator)
        case ast.AugAssign(op=operator):
            return None if isinstance(operator, _OF_ARRAYS) else _operator(operator, "=")
        case ast.Compare(ops=operators):
            messages = (_operator(operator) for operator in operators)
            return next((message for message in messages if message), None)
        case ast.Delete(targets=targets) if not all(
            isinstance(target, ast.Name)
            or (isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice))
            for target in targets
        ):
            return "a del statement of anything but names and entries of lists is not supported"
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() if any(
            isinstance(part, ast.NamedExpr) for part in ast.walk(node)
        ):
            return "an assignment expression (':=') in a lambda or comprehension is not supported"
        case ast.ListComp() | ast.DictComp() | ast.GeneratorExp() if any(
            map(is_bare_super, ast.walk(node))
        ):  # it asks for the object of a function of its own
            return "'super()' in a comprehension is not supported"
        case ast.ListComp(generators=generators) | ast.GeneratorExp(generators=generators) if any(
            part.is_async for part in generators
        ):
            return "an async comprehension is not supported"
        case ast.Call(func=ast.Name(id="float" as name), args=[ast.Constant(value=str(text))]):
            if text.strip().lower() in INFINITE:
                return None
            return f"{name}('{text}') is not supported: numbers are finite"
        case _:
            return None


def is_bare_super(node: ast.AST) -> bool:
    """Whether a node is ``super()``, which asks for the class around it in the text."""
    return isinstance(node, ast.Call) and ast.unparse(node) == "super()"


def _constant(node: ast.Constant) -> str | None:
    match node.value:
        case bool() | int() | float() | str() | None:
            return None
        case bytes():
            return "a bytes literal is not supported"
        case complex():
            return "a complex number is not supported"
        case _:
            return "'...' is not supported"


def shift(operator: ast.operator) -> str:
    """What is wrong with ``>>`` or ``<<`` of what no stub describes."""
    return f"'{_OPERATORS[type(operator)]}' is only supported for integers, by a known number of bits"


def of_arrays(operator: ast.operator | ast.unaryop, suffix: str = "") -> str | None:
    """What is wrong with an operator of something else than arrays; None if nothing."""
    return _operator(operator, suffix) if isinstance(operator, _OF_ARRAYS) else None


def _operator(operator: ast.AST, suffix: str = "") -> str | None:
    symbol = _OPERATORS.get(type(operator))
    return f"the operator '{symbol}{suffix}' is not supported{_instead(operator)}" if symbol else None


def _instead(node: ast.AST) -> str:
    instead = _INSTEAD.get(type(node))
    return f"; {instead}" if instead else ""
