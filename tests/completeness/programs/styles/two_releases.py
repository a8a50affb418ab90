"""Two numbers, each with half of the budget."""

from dataclasses import dataclass

import numpy as np

from synth.lang import absolute_distance, laplace, mechanism


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0")
def plainly(a: float, b: float, eps: float) -> tuple[float, float]:
    return laplace(a, 2 / eps), laplace(b, 2 / eps)


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0")
def with_numpy(a: float, b: float, eps: float) -> "np.ndarray":
    return np.array([a, b]) + np.random.laplace(scale=2 / eps, size=2)


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0")
def with_a_dict(a: float, b: float, eps: float) -> dict[str, float]:
    return {name: value + np.random.laplace(scale=2 / eps) for name, value in {"a": a, "b": b}.items()}


@dataclass
class Budget:
    total: float
    spent: float = 0.0

    def spend(self, eps: float) -> float:
        if self.spent + eps > self.total:
            raise RuntimeError("the budget is spent")
        self.spent += eps
        return eps


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0")
def with_a_budget(a: float, b: float, eps: float) -> tuple[float, float]:
    budget = Budget(eps)
    first = np.random.laplace(a, 1 / budget.spend(eps / 2))
    second = np.random.laplace(b, 1 / budget.spend(eps / 2))
    return first, second


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0")
def with_an_early_return(a: float, b: float, eps: float) -> tuple[float, float | None]:
    first = a + np.random.laplace(scale=2 / eps)
    if first < 0:
        return first, None
    return first, b + np.random.laplace(scale=2 / eps)
