"""numpy: arrays of one dimension."""

import math

import synth.lang as lang

from numpy._by_entry import (
    absolute,
    add,
    ceil,
    clip,
    cos,
    divide,
    exp,
    expm1,
    floor,
    isclose,
    isfinite,
    isinf,
    isnan,
    isneginf,
    isposinf,
    log,
    log1p,
    log2,
    log10,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    nan_to_num,
    negative,
    rint,
    sign,
    sqrt,
    square,
    subtract,
    trunc,
    where,
)
from numpy._by_entry import absolute as abs
from numpy._by_entry import divide as true_divide
from synth.stubs import (
    as_array,
    as_numbers,
    by_index,
    is_gumbel,
    log_weights,
    method,
    one_row,
    shown,
    sought,
    to_array,
    to_list,
    to_type,
    unset_entry,
)


def float64(x, /):
    """is a number as a real"""
    return float(x)


def int64(x, /):
    """is a number as an integer"""
    return int(x)


def float32(x, /):
    """is a number as a real"""
    return float(x)


def int32(x, /):
    """is a number as an integer"""
    return int(x)


def bool_(x, /):
    """is the truth of a number"""
    return bool(x)


# --- making arrays ----------------------------------------------------------------------


def array(object, dtype=None):
    """is an array of the entries of a list"""
    return to_type(to_array(object), dtype)


def asarray(a, dtype=None):
    """is an array of the entries of a list"""
    return to_type(as_array(a), dtype)


def asanyarray(a, dtype=None):
    """is an array of the entries of a list"""
    return to_type(as_array(a), dtype)


def ascontiguousarray(a, dtype=None):
    """is an array of the entries of a list"""
    return to_type(as_array(a), dtype)


def atleast_2d(arys, /):
    """is an array of two dimensions with an array as its only row"""
    return one_row(as_array(arys))


def zeros(shape, dtype=None):
    """is an array of zeros"""
    return to_type(by_index(shape, lambda i: 0.0), dtype)


def ones(shape, dtype=None):
    """is an array of ones"""
    return to_type(by_index(shape, lambda i: 1.0), dtype)


def empty(shape, dtype=None):
    """is an array of which no entry is read before it is assigned"""
    return to_type(by_index(shape, lambda i: unset_entry()), dtype)


def empty_like(prototype, dtype=None):
    """is an array of the length of another one, of which no entry is read before it is assigned"""
    return to_type(to_type(by_index(len(prototype), lambda i: unset_entry()), as_array(prototype)), dtype)


def full(shape, fill_value, dtype=None):
    """is an array of one number"""
    return to_type(by_index(shape, lambda i: fill_value), dtype)


def zeros_like(a, dtype=None):
    """is an array of zeros of the length of another one"""
    return to_type(to_type(by_index(len(a), lambda i: 0.0), as_array(a)), dtype)


def ones_like(a, dtype=None):
    """is an array of ones of the length of another one"""
    return to_type(to_type(by_index(len(a), lambda i: 1.0), as_array(a)), dtype)


def full_like(a, fill_value):
    """is an array of one number, of the length and type of another one"""
    return to_type(by_index(len(a), lambda i: fill_value), as_array(a))


def arange(start: int, /, stop: int | None = None, step: int = 1, dtype=None):
    """is an array of the integers from one to another"""
    first = 0 if stop is None else start
    end = start if stop is None else stop
    shown(step > 0)
    distance = end - first
    count = distance if step == 1 else (distance + step - 1) // step
    count = count if count > 0 else 0
    return to_type(by_index(count, lambda i: first + step * i), dtype)


def linspace(start: float, stop: float, num: int = 50):
    """is an array of numbers at equal distances"""
    shown(num >= 2)
    return by_index(num, lambda i: start + i * ((stop - start) / (num - 1)))


def copy(a):
    """is another array with the same entries"""
    return to_array(a)


@method
def flatten(a, /):
    """is another array with the same entries"""
    return to_array(a)


def ravel(a):
    """is an array with the same entries"""
    return as_array(a)


def append(arr, values):
    """is an array with more entries"""
    last = values if isinstance(values, (int, float)) else 0
    return (
        by_index(len(arr) + 1, lambda i: arr[i] if i < len(arr) else last)
        if isinstance(values, (int, float))
        else _joined(as_array(arr), as_array(values))
    )


def concatenate(arrays, /, axis=0):
    """is an array of the entries of several ones"""
    shown(axis is None or axis == 0)
    return _in_a_row(arrays)


def hstack(tup):
    """is an array of the entries of several ones"""
    return _in_a_row(tup)


def _in_a_row(arrays):
    shown(1 <= len(arrays) <= 4)
    return (
        to_array(arrays[0])
        if len(arrays) == 1
        else _joined(arrays[0], arrays[1])
        if len(arrays) == 2
        else _joined(_joined(arrays[0], arrays[1]), arrays[2])
        if len(arrays) == 3
        else _joined(_joined(arrays[0], arrays[1]), _joined(arrays[2], arrays[3]))
    )


def _joined(a, b):
    first = as_array(a)
    second = as_array(b)
    return by_index(
        len(first) + len(second), lambda i: first[i] if i < len(first) else second[i - len(first)]
    )


def tile(A, reps):
    """is an array of the entries of another one, as often as is said; of two dimensions for two numbers"""
    entries = as_array(A)
    return (
        by_index(len(entries) * reps, lambda i: entries[i % len(entries)])
        if isinstance(reps, int)
        else by_index((reps[0], len(entries) * reps[1]), lambda i: entries[i % len(entries)])
    )


def repeat(a, repeats: int):
    """is an array of each entry, or of a number, as often as is said"""
    shown(repeats >= 0)
    if isinstance(a, (int, float)):
        return full(repeats, a)
    entries = as_array(a)
    return by_index(len(entries) * repeats, lambda i: entries[i // repeats])


def sort(a):
    """is an array of the entries, the smallest first"""
    return to_array(sorted(to_list(as_numbers(a))))


def median(a):
    """is the entry in the middle, or the mean of the two there"""
    shown(len(a) > 0)
    ordered = sorted(to_list(as_numbers(a)))
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def bincount(x, /, weights=None, minlength: int = 0):
    """counts how often each integer occurs, up to a number of them that is stated"""
    shown(weights is None)
    for entry in x:
        shown(_is_inside(entry, minlength))
    counts = [_occurrences(x, place) for place in range(minlength)]
    return to_array(counts)


def _is_inside(entry: int, end: int):
    """each entry is at least 0 and below minlength"""
    return entry >= 0 and entry < end


def histogram(a, bins=10, range=None, density=None, weights=None):
    """counts the entries in so many intervals between two numbers, or between ends; gives these, too"""
    shown(weights is None)
    shown(density is None or not density)
    return _by_number(a, bins, range) if isinstance(bins, int) else _by_edges(a, as_array(bins), range)


def _by_number(x, bins: int, limits):
    shown(limits is not None)
    shown(bins >= 1 and limits[0] < limits[1])
    return _heights(x, bins, limits[0], limits[1]), linspace(limits[0], limits[1], bins + 1)


def _by_edges(x, edges, limits):
    shown(limits is None)
    shown(len(edges) >= 2)
    for place in range(len(edges) - 1):
        shown(edges[place] <= edges[place + 1])
    last = len(edges) - 2
    counts = [_between(x, edges[place], edges[place + 1], place == last) for place in range(last + 1)]
    return to_array(counts), edges


def _between(x, low, high, is_last: bool):
    number = 0
    for entry in x:
        if low <= entry and (entry < high or (is_last and entry == high)):
            number += 1
    return number


def _heights(x, bins: int, low, high):
    counts = [_height(x, bins, low, high, place) for place in range(bins)]
    return to_array(counts)


def _height(x, bins: int, low, high, place: int):
    number = 0
    for entry in x:
        if _interval(entry, bins, low, high) == place:
            number += 1
    return number


def _interval(entry, bins: int, low, high):
    return (
        -1
        if entry < low or entry > high
        else bins - 1
        if entry == high
        else math.floor((entry - low) * bins / (high - low))
    )


def _occurrences(x, value):
    number = 0
    for entry in x:
        if entry == value:
            number += 1
    return number


def flip(m):
    """is an array from its end to its start"""
    return as_array(m)[::-1]


def diff(a):
    """is the array of the differences of neighbours"""
    entries = as_array(a)
    return entries[1:] - entries[:-1]


@method
def astype(a, /, dtype=None, *, copy: bool = True):
    """is an array with entries of another type"""
    return to_type(to_array(a) if copy else as_array(a), dtype)


@method
def tolist(a, /):
    """is a list of the entries"""
    return to_list(a)


@method
def item(a, index: int | None = None, /):
    """is an entry, or the only one"""
    shown(index is not None or len(a) == 1)
    return a[0 if index is None else index]


def round(a, decimals: int = 0):
    """rounds each entry to the next multiple of a power of ten, or the even one of two"""
    if decimals == 0:
        return to_type(rint(a), a)
    rint(a)  # truth values are refused
    return to_type(rint(a * 10.0**decimals) / 10.0**decimals, a)


def around(a, decimals: int = 0):
    """is the same as round"""
    return round(a, decimals)


def nonzero(a):
    """is a tuple with the array of the indices of the entries that are not 0, or are true"""
    places = []
    for place, entry in enumerate(a):
        if entry:
            places.append(place)
    return (to_type(to_array(places), int),)


# --- numbers of arrays ------------------------------------------------------------------


def sum(a, axis=None):
    """adds up the entries"""
    shown(axis is None or axis == 0)
    total = 0
    for entry in a:
        total += entry
    return total


def prod(a, axis=None):
    """multiplies the entries"""
    shown(axis is None or axis == 0)
    product = 1
    for entry in a:
        product *= entry
    return product


def mean(a, axis=None):
    """is the sum of the entries, divided by their number"""
    shown(axis is None or axis == 0)
    shown(len(a) > 0)
    return sum(a) / len(a)


def average(a):
    """is the sum of the entries, divided by their number"""
    return mean(a)


def var(a, axis=None):
    """is the mean of the squared distances to the mean"""
    shown(axis is None or axis == 0)
    entries = as_array(a)
    return mean(square(entries - mean(entries)))


def std(a, axis=None):
    """is the square root of the mean of the squared distances to the mean"""
    square_of_it = var(a, axis)
    return math.sqrt(square_of_it if square_of_it > 0 else 0)  # it is not below 0


def max(a, axis=None):
    """is the largest entry"""
    shown(axis is None or axis == 0)
    shown(len(a) > 0)
    best = 0
    for i, entry in enumerate(as_numbers(a)):
        if i == 0 or entry > best:
            best = entry
    return best


def min(a, axis=None):
    """is the smallest entry"""
    shown(axis is None or axis == 0)
    shown(len(a) > 0)
    best = 0
    for i, entry in enumerate(as_numbers(a)):
        if i == 0 or entry < best:
            best = entry
    return best


def amax(a, axis=None):
    """is the largest entry"""
    return max(a, axis)


def amin(a, axis=None):
    """is the smallest entry"""
    return min(a, axis)


def argmax(a, axis=None):
    """is the first index of the largest entry"""
    shown(axis is None or axis == 0)
    shown(len(a) > 0)
    if is_gumbel(a):
        return lang.choice(len(a), lambda r: log_weights(a)[r])
    place = 0
    best = 0
    for i, entry in enumerate(a):
        if i == 0 or entry + 0 > best:
            best = entry + 0
            place = i
    return place


def argmin(a, axis=None):
    """is the first index of the smallest entry"""
    shown(axis is None or axis == 0)
    shown(len(a) > 0)
    place = 0
    best = 0
    for i, entry in enumerate(a):
        if i == 0 or entry < best:
            best = entry
            place = i
    return place


def cumsum(a, axis=None):
    """is the array of the sums of the first entries"""
    shown(axis is None or axis == 0)
    total = 0
    sums = []
    for entry in a:
        total += entry
        sums.append(total)
    return to_array(sums)


def searchsorted(a, v, side="left"):
    """is the number of sums of weights that a uniform draw exceeds"""
    sought(v)
    shown(side == "left" or side == "right")
    place = 0
    for i, entry in enumerate(a):
        if entry <= v if side == "right" else entry < v:
            shown(i == 0 or (a[i - 1] <= v if side == "right" else a[i - 1] < v))
            place += 1
    return place


def any(a, axis=None):
    """says whether an entry is true"""
    shown(axis is None or axis == 0)
    found = False
    for entry in a:
        if entry:
            found = True
    return found


def all(a, axis=None):
    """says whether all entries are true"""
    shown(axis is None or axis == 0)
    found = True
    for entry in a:
        if not entry:
            found = False
    return found


def allclose(a, b, rtol: float = 1e-05, atol: float = 1e-08):
    """says whether all entries are about the same"""
    return all(isclose(a, b, rtol, atol))


def count_nonzero(a):
    """counts the entries that are true"""
    count = 0
    for entry in a:
        if entry:
            count += 1
    return count


def dot(a, b):
    """adds up the products of the entries"""
    shown(len(a) == len(b))
    return sum(as_array(a) * as_array(b))


def size(a):
    """is the number of entries"""
    return len(a)


def shape(a):
    """is a tuple with the number of entries; an empty one for a number"""
    return () if isinstance(a, (bool, int, float)) else (len(a),)
