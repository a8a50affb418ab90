import numpy as np


def UE_Client(input_data, k, epsilon, optimal=False):
    """
    Unary encoding: the value is sent as a bit vector of which each bit is flipped independently.

    :param input_data: user's true value, in 0..k-1
    :param k: attribute's domain size
    :param epsilon: privacy guarantee
    :param optimal: if True, the parameters of the optimized protocol (OUE), else the symmetric one (RAPPOR).
    """
    if input_data < 0 or input_data >= k:
        raise ValueError("input_data (integer) should be in the range [0, k-1].")

    if optimal:
        p = 1 / 2
        q = 1 / (np.exp(epsilon) + 1)
    else:
        p = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
        q = 1 - p

    input_ue_data = np.zeros(k)
    input_ue_data[input_data] = 1

    sanitized_vec = np.zeros(k)
    for ind in range(k):
        if input_ue_data[ind] != 1:
            rnd = np.random.random()
            if rnd <= q:
                sanitized_vec[ind] = 1
        else:
            rnd = np.random.random()
            if rnd <= p:
                sanitized_vec[ind] = 1
    return sanitized_vec
