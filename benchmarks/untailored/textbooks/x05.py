from numpy.random import laplace


def watch(queries, threshold, c, eps1, eps2, eps3):
    """Numeric sparse vector; budgets for the threshold, the comparisons and the answers."""
    bar = threshold + laplace(0, 1 / eps1)
    answers = []
    found = 0
    i = 0
    while i < len(queries) and found < c:
        if queries[i] + laplace(0, 2 * c / eps2) >= bar:
            answers.append(queries[i] + laplace(0, c / eps3))
            found += 1
        else:
            answers.append(None)
        i += 1
    return answers
