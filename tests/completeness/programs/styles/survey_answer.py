"""Whether a noisy count reaches a quorum, as a word."""

from enum import Enum

import numpy as np

from synth.lang import change_one_distance, laplace, mechanism


@mechanism(adjacent={"votes": change_one_distance()}, requires="eps > 0")
def plainly(votes: list[bool], quorum: int, eps: float) -> bool:
    yes = 0
    for vote in votes:
        if vote:
            yes += 1
    return laplace(yes, 1 / eps) >= quorum


@mechanism(adjacent={"votes": change_one_distance()}, requires="eps > 0")
def with_numpy(votes: list[bool], quorum: int, eps: float) -> bool:
    return bool(np.sum(votes) + np.random.laplace(scale=1 / eps) >= quorum)


@mechanism(adjacent={"votes": change_one_distance()}, requires="eps > 0")
def with_words(votes: list[bool], quorum: int, eps: float) -> str:
    yes = sum(votes)
    noisy = yes + np.random.laplace(scale=1 / eps)
    return "accepted" if noisy >= quorum else "rejected"


class Result(Enum):
    ACCEPTED = 1
    REJECTED = 2


@mechanism(adjacent={"votes": change_one_distance()}, requires="eps > 0")
def with_an_enum(votes: list[bool], quorum: int, eps: float) -> Result:
    if votes.count(True) + np.random.laplace(scale=1 / eps) >= quorum:
        return Result.ACCEPTED
    return Result.REJECTED


@mechanism(adjacent={"votes": change_one_distance()}, requires="eps > 0")
def with_an_early_return(votes: list[bool], quorum: int, eps: float) -> bool:
    if len(votes) == 0 or quorum <= 0:
        return quorum <= 0
    return len([v for v in votes if v]) + np.random.laplace(0, 1 / eps) >= quorum
