import numpy as np


def softmax_selection(utilities, eps, sensitivity):
    prob_scale = np.exp(eps * np.array(utilities) / sensitivity)
    probs = prob_scale / np.sum(prob_scale)
    return np.random.choice(len(utilities), size=1, p=probs)[0]
