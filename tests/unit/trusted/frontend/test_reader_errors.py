"""Bad input: each construct gets its own message, with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_file, read_source

HEAD = """from synth.lang import *
import math

def helper(a):
    return a

def even(k):
    return odd(k - 1)

def odd(k):
    return even(k - 1)

@mechanism(adjacent={"q": linf_distance(1), "p": absolute_distance(1)})
def f(q: list[int], p: int, n: int, m: int, eps: float, score: Callable[[int], int]):
"""
"""The statements of a case follow, indented by 4: they begin in line 15, column 5."""

IN_FUNCTION = {
    "set comprehension": ("x = {i for i in q}", "15:9: a set comprehension is not supported"),
    "dict comprehension": (
        "x = {i: i for i in q}",
        "15:24: the keys of a dict must be written out, in a tuple of the file for instance",
    ),
    "generator": (
        "x = (i for i in q)",
        "15:5: a generator in a variable is not supported: use a list",
    ),
    "generator in a tuple": (
        "x = (1, (i for i in q))",
        "15:13: a generator can't be part of a tuple or list: use a list",
    ),
    "generator returned": ("return (i for i in q)", "15:5: a generator is returned: return a list"),
    "async comprehension": ("x = [i async for i in q]", "15:9: an async comprehension is not supported"),
    "lambda": ("x = [lambda: 1]", "15:10: a function can't be part of a tuple or list"),
    "dict": ("x = {**n}", "15:12: '**' in a dict is not supported"),
    "f-string": ("x = f'{n}'", "15:9: an f-string is not supported"),
    "string": ("x = 'a' + n", "15:9: a string is used as a number"),
    "bytes": ("x = b'a'", "15:9: a bytes literal is not supported"),
    "complex": ("x = 1j", "15:9: a complex number is not supported"),
    "ellipsis": ("x = ...", "15:9: '...' is not supported"),
    "slice": ("x = q[::2]", "15:13: a step of a slice is only supported in xs[::-1]"),
    "star": ("a, *b = q", "15:8: this assignment is not supported"),
    "star argument": (
        "x = max(*q)",
        "15:13: '*' of anything but the name of a tuple is not supported: give it a name first",
    ),
    "walrus": (
        "x = [(y := 3) for _ in q]",
        "15:9: an assignment expression (':=') in a lambda or comprehension is not supported",
    ),
    "global": ("global n", "15:5: a global statement is not supported"),
    "nonlocal": ("nonlocal n", "15:5: a nonlocal statement is not supported"),
    "try": (
        "try:\n    pass\nexcept* ValueError:\n    pass",
        "15:5: a try statement is not supported",
    ),
    "with": ("with n:\n    pass", "15:5: a with statement is not supported"),
    "raise": ("raise ValueError", "15:5: no run returns: all of them raise"),
    "del": ("del n\nx = n", "16:9: variable 'n' may be used before it is assigned"),
    "match": ("match n:\n    case 1:\n        pass", "15:5: a match statement is not supported"),
    "yield": ("n = yield n", "15:9: yield is not supported"),
    "async for": ("async for x in q:\n    pass", "15:5: an async for loop is not supported"),
    "class": ("class A:\n    pass", "15:5: a class is not supported"),
    "nested function": (
        "@mechanism\ndef g():\n    pass",
        "15:6: a decorator of a nested function is not supported",
    ),
    "import": ("if n > 0:\n    import math", "16:9: an import inside a function is not supported"),
    "bitand": ("x = n & 2", "15:9: the operator '&' is not supported"),
    "bitxor": ("x = n ^ 2", "15:9: the operator '^' is not supported; a power is '**'"),
    "bits of a real": ("x = eps ^ 1", "15:9: the operator '^' is not supported; a power is '**'"),
    "matmul": ("x = n @ n", "15:9: the operator '@' is not supported"),
    "invert": ("x = ~n", "15:9: the operator '~' is not supported"),
    "in": ("x = n in eps", "15:9: 'in' of a number is not supported"),
    "aug bitor": ("n |= 2", "15:5: the operator '|' is not supported"),
    "is": ("x = n is n", "15:9: 'is' is only supported with None, True, False and members of an Enum"),
    "item assignment": ("q[0] = 1", "15:5: the parameter 'q' can't be changed: use list(q)"),
    "attribute assignment": ("q.x = 1", "15:5: an assignment to an attribute is not supported"),
    "attribute": ("x = q.x", "15:9: the attribute 'x' is not supported"),
    "method": ("q.sort()", "15:5: the method 'sort' of a sequence is not supported"),
    "list method": ("out = []\nout.rotate()", "16:5: the list method 'rotate' is not supported"),
    "append value": (
        "out = []\nx = out.append(1)",
        "16:9: 'append' gives no value and must be a statement",
    ),
    "append arity": ("out = []\nout.append(1, 2)", "16:5: 'append' takes 1 argument"),
    "append to sequence": (
        "q.append(1)",
        "15:5: the method 'append' of a sequence is not supported",
    ),
    "print": (
        "x = print(n)",
        "15:9: 'print' is not supported here: show something in a statement of its own",
    ),
    "eval": ("x = eval(n)", "15:9: 'eval' is not supported"),
    "a built-in function": ("x = hash(q)", "15:9: 'hash' is not supported"),
    "unknown name": ("x = epz + 1", "15:9: unknown name 'epz'; did you mean 'eps'?"),
    "unknown function": (
        "x = laplce(n, 1)",
        "15:9: unknown function 'laplce'; did you mean 'laplace'?",
    ),
    "inf": ("x = float('nan')", "15:9: float('nan') is not supported: numbers are finite"),
    "math.inf": ("x = math.nan", "15:9: 'math.nan' is not supported: numbers are finite"),
    "a module's name": ("math = 3\nx = math.floor(eps)", "16:9: the method 'floor' is not supported"),
    "a module's name in a statement": (
        "math = 3\nmath.floor(eps)",
        "16:5: the method 'floor' of a number is not supported",
    ),
    "int arity": ("x = int(n, 2)", "15:9: int takes 1 argument, not 2"),
    "len arity": ("x = len()", "15:9: len takes 1 argument, not 0"),
    "max arity": ("x = max(n)", "15:9: max takes at least 2 arguments, not 1"),
    "keyword": ("x = abs(x=n)", "15:13: abs takes no named arguments"),
    "len of number": ("x = len(n)", "15:9: a number has no length"),
    "loop over number": ("for x in n:\n    pass", "15:14: a loop over a number is not supported"),
    "zip": ("x = zip(q, q)", "15:5: a generator in a variable is not supported: use a list"),
    "zip of nothing": ("for x in zip():\n    pass", "15:14: 'zip' of what isn't listed is not supported"),
    "zip by name": (
        "for x in zip(q, q, strict=n > 1):\n    pass",
        "15:24: 'zip' takes only 'strict', True or False, by name",
    ),
    "zip of a generator": (
        "for x in zip(q, (i for i in q)):\n    pass",
        "15:21: a generator in 'zip' is not supported: use a list",
    ),
    "enumerate reversed": (
        "for x in reversed(enumerate(q)):\n    pass",
        "15:23: this can't be reversed: use a list",
    ),
    "range real": (
        "for x in range(eps):\n    pass",
        "15:20: a bound of a range must be an integer: use int(...)",
    ),
    "range step": (
        "for x in range(0, n, q[0]):\n    pass",
        "15:26: private data in a loop bound",
    ),
    "range step 0": (
        "for x in range(0, n, 0):\n    pass",
        "15:26: the step of a range must be a nonzero constant",
    ),
    "real index": ("x = q[eps]", "15:11: an index must be an integer: use int(...)"),
    "tuple range": ("a = (1, 2)\nx = a[2]", "16:11: a tuple of 2 has no entry 2"),
    "call sequence": ("x = q(1)", "15:9: 'q' is a sequence, not a function"),
    "index function": ("x = score[1]", "15:9: 'score' is a function: call it"),
    "function arity": ("x = score(1, 2)", "15:9: 'score' takes 1 argument, not 2"),
    "function real": ("x = score(eps)", "15:15: an argument of 'score' must be an integer: use int(...)"),
    "function argument": ("x = score", "15:5: aliasing the parameter 'score' is not supported"),
    "gaussian": ("x = gaussian(n, scale=1)", "15:21: gaussian has no argument 'scale'"),
    "uniform private": ("x = uniform_int(0, p)", "15:24: private data in a bound of uniform_int"),
    "uniform real": ("x = uniform_int(0, eps)", "15:24: 'hi' must be an integer: use int(...)"),
    "response private": (
        "x = randomized_response(True, p)",
        "15:35: private data in the epsilon of randomized_response",
    ),
    "choice private": ("x = choice(p, score)", "15:16: private data in the number of candidates"),
    "choice no function": ("x = choice(n, eps)", "15:19: the log weight must be a function of the index"),
    "choice two": (
        "x = choice(n, lambda r, s: r)",
        "15:19: this lambda must have one parameter, the index",
    ),
    "choice draws": (
        "x = choice(n, lambda r: laplace(r, 1))",
        "15:19: the log weight must only compute, without draws and asserts",
    ),
    "exponential mechanism": (
        "x = exponential_mechanism(n, score, p, 1)",
        "15:41: private data in the epsilon of exponential_mechanism",
    ),
    "laplace missing": ("x = laplace(n)", "15:9: laplace lacks the argument 'scale'"),
    "laplace keyword": (
        "x = laplace(n, scal=1)",
        "15:20: laplace has no argument 'scal'; did you mean 'scale'?",
    ),
    "laplace twice": ("x = laplace(n, 1, center=2)", "15:23: laplace has two arguments 'center'"),
    "laplace too many": ("x = laplace(n, 1, 2)", "15:9: laplace takes 2 arguments, not 3"),
    "private bound": ("for x in range(q[0]):\n    pass", "15:20: private data in a loop bound"),
    "private bound flow": (
        "y = 0\nfor x in q:\n    y += x\nfor i in range(0, y):\n    pass",
        "18:23: private data in a loop bound",
    ),
    "private assert": ("assert p > 0", "15:12: private data in an assert statement"),
    "alias list": ("a = []\nfor v in q:\n    b = a", "17:9: aliasing a list is not supported"),
    "alias parameter": ("b = q", "15:5: aliasing the parameter 'q' is not supported"),
    "chained lists": ("a = b = []", "15:5: aliasing a list is not supported"),
    "reassign parameter": ("q = []", "15:5: the parameter 'q' can't be reassigned"),
    "aug parameter": ("q += [1]", "15:5: the parameter 'q' can't be reassigned"),
    "list of lists": ("a = [[1]]", "15:9: a list of lists is not supported"),
    "append list": ("a = []\na.append([1])", "16:5: a list of lists is not supported"),
    "list times": ("a = [0] * eps", "15:15: a list is repeated a whole number of times"),
    "list plus": (
        "a = [n] + (1, 2)",
        "15:9: adding lists is only supported as 'xs = xs + [...]' or 'xs += [...]'",
    ),
    "list plus list": (
        "a = []\na += n",
        "16:10: a loop over a number is not supported",
    ),
    "list as number": ("a = []\nx = a - 1", "16:9: a list is used as a number"),
    "compare lists": ("a = []\nx = a == [1]", "16:9: a comparison of a list is not supported"),
    "mutate iterated": (
        "a = [1]\nfor x in a:\n    a.append(x)",
        "17:9: the list is changed while a loop runs over it",
    ),
    "reassign iterated": (
        "a = [1]\nfor x in a:\n    a = []",
        "17:9: the list is reassigned while a loop runs over it",
    ),
    "mixed entries": (
        "a = [1, None, (1, 2)]\nx = a[0]",
        "16:9: entries that are dicts, or of several shapes, can't be read back",
    ),
    "empty entries": ("a = []\nx = a[0]", "16:9: nothing is ever appended to this list"),
    "tuple and number": (
        "x = 1\nx = (1, 2)",
        "16:5: variable 'x' is both a number and a tuple of 2",
    ),
    "list and number": ("x = 1\nx = []", "16:5: variable 'x' is both a number and a list"),
    "tuple as number": ("x = (1, 2) + 1", "15:9: a tuple of 2 is used as a number"),
    "none as number": ("x = None\ny = x + 1", "16:9: None is used as a number"),
    "unpack count": ("a, b = 1, 2, 3", "15:5: 3 values can't be unpacked into 2 variables"),
    "unpack number": ("a, b = n", "15:5: a number can't be unpacked into 2 variables"),
    "unassigned": (
        "if n > 0:\n    x = 1\ny = x",
        "17:9: variable 'x' may be used before it is assigned",
    ),
    "unassigned loop": (
        "for i in range(n):\n    x = i\ny = x",
        "17:9: variable 'x' may be used before it is assigned",
    ),
    "unassigned aug": ("x += 1", "15:5: variable 'x' may be used before it is assigned"),
    "return sequence": ("return q", "15:12: a sequence parameter is returned"),
    "return function": ("return score", "15:12: a function is returned"),
    "tuple of sequence": (
        "return n, q",
        "15:15: the parameter 'q' can't be part of a tuple or list",
    ),
    "choice of lists": ("a = [] if n else [1]", "15:9: a choice between lists is not supported"),
    "large number": ("x = 1e9999", "15:9: the number is too large"),
    "number that Python takes for infinity": ("x = 1e309", "15:9: the number is too large"),
    "helper unknown argument": ("x = helper(1, b=2)", "15:19: 'helper' has no argument 'b'"),
    "helper missing": ("x = helper()", "15:9: 'helper' lacks the argument 'a'"),
    "helper value": ("x = helper + 1", "15:9: a function is used as a number"),
    "recursion": ("x = even(n)", "11:12: recursion is not supported: even -> odd -> even"),
    "self recursion": ("x = f(q, p, n, m, eps, score)", "15:9: recursion is not supported: f -> f"),
    "mechanism as value": ("x = mechanism", "15:9: 'mechanism' is used as a value"),
    "metric called": (
        "x = linf_distance(1)",
        "15:9: a call of 'linf_distance' is not supported here",
    ),
    "subscript call": ("x = q[0](1)", "15:9: a call of this expression is not supported"),
    "attr call": ("x = n.bit_length()", "15:9: the method 'bit_length' is not supported"),
    "keyword star": (
        "x = helper(**n)",
        "15:18: '**' of anything but the name of a dict is not supported",
    ),
    "break outside": ("break", "15:5: 'break' outside a loop"),
}

DECLARATION = """from synth.lang import *
@mechanism(%s)
def f(q: list[int], b: bool, n: int, eps: float, g: Callable[[int], float]):
    return n
"""

USUAL_METRICS = (
    "; a number has 'absolute_distance', a truth value 'discrete_distance', others have 'linf_distance'"
)

IN_DECORATOR = {
    "positional": ('{"q": linf_distance(1)}', "2:12: 'mechanism' takes named arguments only"),
    "unknown arg": (
        'epsillon="eps"',
        "2:12: 'mechanism' has no argument 'epsillon'; did you mean 'epsilon'?",
    ),
    "star arg": ("**x", "2:12: a star expression is not supported"),
    "None as a number": ("requires='None + 1 > 0'", "2:21: None is used as a number"),
    "adjacent not dict": (
        "adjacent=3",
        "2:21: 'adjacent' must be a dict, such as {\"q\": linf_distance(1)}",
    ),
    "adjacent key": (
        "adjacent={3: linf_distance(1)}",
        "2:22: a key of 'adjacent' must be the name of a parameter, as a string",
    ),
    "adjacent star": (
        "adjacent={**x}",
        "2:24: a key of 'adjacent' must be the name of a parameter, as a string",
    ),
    "adjacent unknown": (
        'adjacent={"Q": linf_distance(1)}',
        "2:22: 'adjacent' names an unknown parameter 'Q'",
    ),
    "adjacent twice": (
        'adjacent={"q": linf_distance(1), "q": linf_distance(2)}',
        "2:45: 'adjacent' names 'q' twice",
    ),
    "metric unknown": (
        'adjacent={"q": lin_distance(1)}',
        "2:27: unknown metric 'lin_distance'; did you mean 'linf_distance'?",
    ),
    "metric uncalled": (
        'adjacent={"q": linf_distance}',
        "2:27: the metric 'linf_distance' must be called",
    ),
    "metric arity": (
        'adjacent={"q": linf_distance()}',
        "2:27: 'linf_distance' lacks the argument 'c'",
    ),
    "metric arity 2": (
        'adjacent={"q": l1_distance(1, True)}',
        "2:27: 'l1_distance' takes 1 argument, not 2",
    ),
    "metric number": ('adjacent={"q": 3}', "2:27: unknown metric '3'"),
    "discrete arity": (
        'adjacent={"n": discrete_distance(1)}',
        "2:27: 'discrete_distance' takes 0 arguments, not 1",
    ),
    "linf scalar": (
        'adjacent={"n": linf_distance(1)}',
        f"2:27: 'linf_distance' is for a sequence or a function, which 'n' is not{USUAL_METRICS}",
    ),
    "l1 function": (
        'adjacent={"g": l1_distance(1)}',
        f"2:27: 'l1_distance' is for a sequence, which 'g' is not{USUAL_METRICS}",
    ),
    "change function": (
        'adjacent={"g": change_one_distance(1)}',
        f"2:27: 'change_one_distance' is for a sequence, which 'g' is not{USUAL_METRICS}",
    ),
    "absolute seq": (
        'adjacent={"q": absolute_distance(1)}',
        f"2:27: 'absolute_distance' is for a number, which 'q' is not{USUAL_METRICS}",
    ),
    "absolute bool": (
        'adjacent={"b": absolute_distance(1)}',
        f"2:27: 'absolute_distance' is for a number, which 'b' is not{USUAL_METRICS}",
    ),
    "discrete seq": (
        'adjacent={"q": discrete_distance()}',
        f"2:27: 'discrete_distance' is for a number or a truth value, which 'q' is not{USUAL_METRICS}",
    ),
    "negative": (
        'adjacent={"q": linf_distance(-1)}',
        "2:41: the bound of linf_distance is negative",
    ),
    "negative string": (
        'adjacent={"q": linf_distance("-1/2")}',
        "2:41: the bound of linf_distance is negative",
    ),
    "bound unknown": ('adjacent={"q": linf_distance("Delta")}', "2:41: unknown name 'Delta'"),
    "bound private": (
        'adjacent={"n": absolute_distance("n")}',
        "2:45: the private parameter 'n' is used in the bound of absolute_distance",
    ),
    "bound bool": (
        'adjacent={"q": linf_distance(True)}',
        "2:41: the bound of linf_distance must be a number, not a truth value",
    ),
    "bound name": (
        'adjacent={"q": linf_distance(eps)}',
        "2:41: unknown name 'eps'; did you mean 'exp'?",
    ),
    "monotone": (
        'adjacent={"q": linf_distance(1, monotone=n)}',
        "2:53: 'monotone' must be True or False",
    ),
    "monotone l1": (
        'adjacent={"q": l1_distance(1, monotone=True)}',
        "2:42: 'l1_distance' has no argument 'monotone'",
    ),
    "requires number": ('requires="eps"', "2:21: requires must be a truth value, not a number"),
    "requires name": ('requires="epz > 0"', "2:21: unknown name 'epz'; did you mean 'eps'?"),
    "requires syntax": ('requires="eps >"', "2:21: syntax error: invalid syntax, in 'eps >'"),
    "requires empty": ('requires=""', "2:21: requires is an empty string"),
    "epsilon private": (
        'adjacent={"n": absolute_distance(1)}, epsilon="n"',
        "2:58: the private parameter 'n' is used in epsilon",
    ),
    "requires entry": ('requires="q[0] > 0"', "2:21: an entry of a sequence is read in requires"),
    "requires call": (
        'requires="g(0) > 0"',
        "2:21: the function parameter 'g' is called in requires",
    ),
    "requires sample": ('requires="laplace(0, 1) > 0"', "2:21: a sample is drawn in requires"),
    "requires string": ("requires=\"eps > 'a'\"", "2:21: a string is used as a number"),
    "requires lambda": ('requires="lambda: 1"', "2:21: a lambda in requires is not supported"),
    "requires expr": ("requires=eps > 0", "2:21: unknown name 'eps'; did you mean 'exp'?"),
    "epsilon bool": ('epsilon="eps > 0"', "2:20: epsilon must be a number, not a truth value"),
    "epsilon negative": ("epsilon=-1", "2:20: epsilon is negative"),
    "epsilon tuple": (
        'epsilon="1, 2"',
        "2:20: epsilon must be a number or a truth value, not a tuple of 2",
    ),
    "delta name": ('delta="dleta"', "2:18: unknown name 'dleta'"),
    "epsilon seq": (
        'epsilon="q"',
        "2:20: epsilon must be a number or a truth value, not a sequence",
    ),
}

WHOLE_FILES = {
    "empty": ("", "the file is empty"),
    "blank": ("\n\n", "the file is empty"),
    "comment": ("# nothing\n", "no mechanism in the file: no function has '@mechanism'"),
    "null": ("x = 1\x00", "the file contains null bytes"),
    "syntax": ("def f(:\n", "1:7: syntax error: invalid syntax"),
    "indent": (
        "def f():\nreturn 1\n",
        "2:1: syntax error: expected an indented block after function definition on line 1",
    ),
    "unclosed": ("x = (1,\n", "1:5: syntax error: '(' was never closed"),
    "no mechanism": (
        "from synth.lang import *\n\ndef f(n: int):\n    return n\n",
        "no mechanism in the file: no function has '@mechanism'",
    ),
    "a name that is given to something else when it runs": (
        "from synth.lang import *\n\ndef synth·_reals(x):\n    return 0\n\n"
        "@mechanism()\ndef f(n: int):\n    return synth·_reals(n)\n",
        "3:1: a name with '·' is not supported: 'synth·_reals'",
    ),
    "a parameter with such a name": (
        "from synth.lang import *\n\n@mechanism()\ndef f(a·b: int):\n    return a·b\n",
        "4:7: a name with '·' is not supported: 'a·b'",
    ),
    "an import under such a name": (
        "from synth.lang import laplace as f·3·4\n",
        "1:24: a name with '·' is not supported: 'f·3·4'",
    ),
    "an exception under such a name": (
        "from synth.lang import *\n\n@mechanism()\ndef f():\n    return 0\n\n"
        'if __name__ == "__main__":\n    try:\n        f()\n'
        "    except ValueError as synth·_reals:\n        pass\n",
        "10:5: a name with '·' is not supported: 'synth·_reals'",
    ),
    "by position only": (
        "from synth.lang import *\n\ndef h(a, /):\n    return a\n\n"
        "@mechanism()\ndef f(n: int):\n    return h(a=n)\n",
        "8:14: 'h' takes 'a' by position only",
    ),
    "range is another": (
        "from synth.lang import *\nfrom math import floor as range\n\n@mechanism()\ndef f(n: int):\n"
        "    for i in range(n):\n        n = i\n    return n\n",
        "6:14: a loop over a number is not supported",
    ),
    "enumerate is a number": (
        "from synth.lang import *\nenumerate = 3\n\n@mechanism()\ndef f(q: list[int]):\n"
        "    for i in enumerate(q):\n        return 1\n",
        "6:14: the constant 'enumerate' is no function",
    ),
    "module class": (
        "class A:\n    x: int\n    del x\n",
        "3:5: a del statement in a class is not supported",
    ),
    "module for": ("for i in x:\n    pass\n", "1:1: a for loop is not supported at module level"),
    "module expression": (
        "print(1)\n",
        "1:1: an expression statement is not supported at module level",
    ),
    "module import": (
        "import pandas\n",
        "1:1: an import of 'pandas' is not supported; only synth.lang, math, typing and stubs are",
    ),
    "module from": (
        "from shutil import move\n",
        "1:1: an import from 'shutil' is not supported; only synth.lang, math, typing and stubs are",
    ),
    "relative": (
        "from . import x\n",
        "1:1: an import from '.' is not supported; only synth.lang, math, typing and stubs are",
    ),
    "from lang": (
        "from synth.lang import laplac\n",
        "1:24: 'synth.lang' has no 'laplac'; did you mean 'laplace'?",
    ),
    "module if": ("if x:\n    pass\n", "1:1: an if statement is not supported at module level"),
    "module while": (
        "while True:\n    pass\n",
        "1:1: a while loop is not supported at module level",
    ),
    "module aug": (
        "x = 1\nx += 1\n",
        "2:1: an augmented assignment is not supported at module level",
    ),
    "module tuple": ("x, y = 1, 2\n", "1:1: this assignment is not supported at module level"),
    "constant twice": ("X = 1\nX = 2\n", "2:1: constant 'X' is defined twice"),
    "constant call": ("X = f(1)\n", "1:5: unknown function 'f'"),
    "constant order": ("X = Y\nY = 1\n", "1:5: constant 'Y' is used before it is defined"),
    "async": (
        "async def f():\n    pass\n",
        "1:1: an async function is not supported at module level",
    ),
    "function twice": (
        "def f():\n    pass\n\ndef f():\n    pass\n",
        "4:1: function 'f' is defined twice",
    ),
    "hide": (
        "from synth.lang import *\ndef laplace(x):\n    return x\n",
        "2:1: a definition of 'laplace' would hide the imported one",
    ),
    "decorator": ("@cache\ndef f():\n    pass\n", "1:2: the decorator 'cache' is not supported"),
    "decorator typo": (
        "from synth.lang import *\n@mechanizm\ndef f():\n    pass\n",
        "2:2: the decorator 'mechanizm' is not supported; did you mean 'mechanism'?",
    ),
    "decorator missing": (
        "@mechanism\ndef f():\n    pass\n",
        "1:2: unknown decorator 'mechanism'; add 'from synth.lang import *'",
    ),
    "two decorators": (
        "from synth.lang import *\n@mechanism\n@mechanism\ndef f():\n    pass\n",
        "3:2: a second decorator is not supported",
    ),
    "no annotation": (
        "from synth.lang import *\n@mechanism\ndef f(x):\n    return 1\n",
        "3:7: the parameter 'x' lacks a type annotation; beside the code: --type x=TYPE, where TYPE is "
        "float, int, bool, str, 'list[float]', …",
    ),
    "no annotations": (
        "from synth.lang import *\n@mechanism\ndef f(x, y: int, z=1):\n    return 1\n",
        "3:7: the parameters 'x', 'z' lack types; beside the code: --type x=TYPE --type z=TYPE, where TYPE "
        "is float, int, bool, str, 'list[float]', …",
    ),
    "annotation": (
        "from synth.lang import *\n@mechanism\ndef f(x: bytes):\n    return 1\n",
        "3:10: the type 'bytes' of 'x' is not supported",
    ),
    "annotation list": (
        "from synth.lang import *\n@mechanism\ndef f(x: list):\n    return 1\n",
        "3:10: the type 'list' of 'x' is not supported",
    ),
    "annotation lists": (
        "from synth.lang import *\n@mechanism\ndef f(x: list[list[int]]):\n    return 1\n",
        "3:10: the type 'list[list[int]]' of 'x' is not supported",
    ),
    "annotation callable": (
        "from synth.lang import *\n@mechanism\ndef f(x: Callable[[float], int]):\n    return 1\n",
        "3:10: the type 'Callable[[float], int]' of 'x' is not supported"
        ": pass what is computed, as list[float], or a function of indices, as Callable[[int], float]; "
        "of all data, pass the result, with how far it moves: absolute_distance(c)",
    ),
    "annotation callable 0": (
        "from synth.lang import *\n@mechanism\ndef f(x: Callable[[], int]):\n    return 1\n",
        "3:10: the type 'Callable[[], int]' of 'x' is not supported"
        ": pass what is computed, as list[float], or a function of indices, as Callable[[int], float]; "
        "of all data, pass the result, with how far it moves: absolute_distance(c)",
    ),
    "annotation optional": (
        "from synth.lang import *\n@mechanism\ndef f(x: int | None):\n    return 1\n",
        "3:10: the type 'int | None' of 'x' is not supported",
    ),
    "varargs": (
        "from synth.lang import *\n@mechanism\ndef f(*xs: int):\n    return 1\n",
        "3:8: a parameter '*xs' is not supported",
    ),
    "kwargs": (
        "from synth.lang import *\n@mechanism\ndef f(**xs: int):\n    return 1\n",
        "3:9: a parameter '**xs' is not supported",
    ),
    "missing import": (
        "from synth.lang import mechanism\n@mechanism\ndef f(n: int):\n    return laplace(n, 1)\n",
        "4:12: unknown function 'laplace'; add 'from synth.lang import *'",
    ),
    "missing exp": (
        "from synth.lang import mechanism\n@mechanism\ndef f(n: int):\n    return exp(n)\n",
        "4:12: unknown function 'exp'; add 'from math import exp'",
    ),
    "pi": (
        "from synth.lang import *\nfrom math import pi\n@mechanism\ndef f():\n    return pi\n",
        "5:12: 'math.pi' is not supported",
    ),
}


def _error(text: str) -> str:
    with pytest.raises(ProgramError) as caught:
        read_source(text, "p.py")
    assert str(caught.value).startswith("p.py:")
    return str(caught.value).partition(":")[2].strip()


@pytest.mark.parametrize(("body", "message"), IN_FUNCTION.values(), ids=IN_FUNCTION.keys())
def test_in_function(body: str, message: str) -> None:
    """A construct in the body of a mechanism."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    assert _error(HEAD + lines) == message


@pytest.mark.parametrize(("arguments", "message"), IN_DECORATOR.values(), ids=IN_DECORATOR.keys())
def test_in_decorator(arguments: str, message: str) -> None:
    """A declaration that makes no sense."""
    assert _error(DECLARATION % arguments) == message


@pytest.mark.parametrize(("text", "message"), WHOLE_FILES.values(), ids=WHOLE_FILES.keys())
def test_whole_file(text: str, message: str) -> None:
    """Something at the level of the module."""
    assert _error(text) == message


DEFAULTS = """from synth.lang import *
def helper(a, b=%s):
    return a

@mechanism
def f(n: int):
    return helper(n)
"""


@pytest.mark.parametrize(
    ("default", "message"),
    [
        ("[]", "2:17: a list as a default value is not supported"),
        ("b'a'", "2:17: a bytes literal is not supported"),
        ("lambda: 1", "2:17: a lambda in a default value is not supported"),
        ("n", "2:17: unknown name 'n'"),
        ("laplace(0, 1)", "2:17: a call in a default value is not supported"),
        ("helper(1)", "2:17: a call in a default value is not supported"),
    ],
)
def test_defaults(default: str, message: str) -> None:
    """Defaults are constants."""
    assert _error(DEFAULTS % default) == message


def test_private_name_of_a_constant() -> None:
    """A constant does not stand for a private parameter of the same name."""
    text = HIDDEN_CONSTANT
    assert _error(text) == "4:13: the private parameter 'n' is used in epsilon"


HIDDEN_CONSTANT = """from synth.lang import *
n = 3
@mechanism(adjacent={"n": absolute_distance(1)},
    epsilon="n")
def f(n: int):
    return n
"""
CALLS = "".join(f"def f{i}(x):\n    return f{i - 1}(x) * f{i - 1}(x)\n" for i in range(1, 30))
HOSTILE = {
    "parentheses": ("X = " + "(" * 300 + "1" + ")" * 300, "too many nested parentheses"),
    "signs": ("X = " + "-" * 150 + "1", "nested too deeply"),
    "many signs": ("X = " + "-" * 100_000 + "1", "nested too deeply"),
    "sum": ("X = " + "+".join("1" * 150), "nested too deeply"),
    "long sum": ("X = " + "+".join("1" * 100_000), "nested too deeply"),
    "brackets": ("X = " + "[" * 90 + "]" * 90, "list of lists"),
    "attributes": ("X = a" + ".a" * 5000, "nested too deeply"),
    "blocks": (
        "def f():\n" + "".join(" " * i + "if 1:\n" for i in range(1, 150)) + " " * 150 + "1",
        "too many levels of indentation",
    ),
    "large": ("#" * 1_000_000, "the file is too large"),
    "digits": ("X = " + "9" * 5000, "Exceeds the limit"),
    "hexadecimal": ("X = 0x" + "f" * 5000, "the number is too large"),
    "powers": ("X = 9" + "**4" * 10, "no mechanism"),
    "doubling constants": (
        "from math import exp\nX0 = exp(1)\n"
        + "".join(f"X{i} = X{i - 1} + X{i - 1}\n" for i in range(1, 60)),
        "too large",
    ),
    "doubling calls": (
        "from synth.lang import *\ndef f0(x):\n    return laplace(x, 1)\n"
        + CALLS
        + "@mechanism\ndef f(n: int):\n    return f29(n)\n",
        "the program is too large",
    ),
    "surrogate": ("X = '\ud800'", "syntax error"),
}


@pytest.mark.parametrize(("text", "message"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile(text: str, message: str) -> None:
    """Huge or deeply nested programs end in a message, not in a crash."""
    assert message in _error(text)


def test_deep_string() -> None:
    """A string in a decorator is guarded like a file."""
    text = DECLARATION % f'requires="{"(" * 300}1{")" * 300}"'
    assert "too many nested parentheses" in _error(text)
    text = DECLARATION % f'requires="{"-" * 150}1 > 0"'
    assert _error(text) == "2:21: the program is nested too deeply (more than 100)"


def test_files(tmp_path: Path) -> None:
    """Files that can't be read."""
    latin = tmp_path / "latin.py"
    latin.write_bytes(b"# fine\n# caf\xe9\n")
    empty = tmp_path / "empty.py"
    empty.touch()
    cases = {
        tmp_path / "missing.py": "no such file",
        tmp_path: "a directory, not a program file",
        latin: "the file is not UTF-8 text",
        empty: "the file is empty",
        latin / "below.py": "the file can't be read: Not a directory",
        Path("a\0b"): "the file can't be read: embedded null byte",
    }
    for path, message in cases.items():
        with pytest.raises(ProgramError) as caught:
            read_file(path)
        assert caught.value.message == message
        assert caught.value.path == str(path)


def test_bom_and_newlines(tmp_path: Path) -> None:
    """A byte order mark and foreign line ends are no errors."""
    program = tmp_path / "program.py"
    text = "from synth.lang import *\r\n@mechanism\r\ndef f(n: int):\r\n    return 1\r\n"
    program.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert [mechanism.name for mechanism in read_file(program)] == ["f"]


_TWO_MEANINGS = "# +AAo-x = 1\n@mechanism\ndef f(n: int):\n    return 1\n"


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("# -*- coding: utf-7 -*-\n", 1),
        ("#!/usr/bin/env python3\n# vim: set fileencoding=latin-1 :\n", 2),
        ("\t\n#coding=rot13\n", 2),
        ("#\r#\r# coding: utf-7\n", 1),
    ],
)
def test_another_encoding_is_declared(head: str, line: int) -> None:
    """Python would decode the file in another way, and run a program that was never read."""
    with pytest.raises(ProgramError, match="declares another encoding than UTF-8") as caught:
        read_source(f"{head}from synth.lang import *\n{_TWO_MEANINGS}", "p.py")
    assert caught.value.line == line


@pytest.mark.parametrize(
    "head",
    [
        "# -*- coding: utf-8 -*-\n",
        "#coding=UTF8\n",
        "\n\n# coding: utf-7\n",
        "import math\n# coding: utf-7\n",
    ],
)
def test_no_other_encoding_is_declared(head: str) -> None:
    (found,) = read_source(f"{head}from synth.lang import *\n{_TWO_MEANINGS}", "p.py")
    assert found.name == "f"


@pytest.mark.parametrize("kind", ["Callable", "list[Callable]", "Sequence[Callable[[list[int]], float]]"])
def test_parameters_that_are_functions_of_data_come_with_what_to_do_instead(kind: str) -> None:
    head = "from typing import Callable\nfrom synth.lang import *\n@mechanism()\n"
    with pytest.raises(ProgramError, match="pass what is computed, as list"):
        read_source(f"{head}def f(queries: {kind}):\n    return 1\n", "p.py")
