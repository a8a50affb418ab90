def private_unique_visitors(visitor_ids, epsilon):
    """How many different visitors there were.

    A line of the log more or less changes the number of distinct ids by at most one.
    """
    import numpy as np

    unique = set(visitor_ids)
    noise = np.random.laplace(0, 1 / epsilon)
    estimate = int(np.round(len(unique) + noise))
    if estimate < 0:
        return 0
    return estimate
