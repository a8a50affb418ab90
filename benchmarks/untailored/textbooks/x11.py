import numpy as np


def running_totals(stream, block, eps_item, eps_block):
    """Smart sum: fresh noise for each item, and for each finished block, which forgets the items' noise."""
    done = 0.0
    inside = 0.0
    shown = 0.0
    out = []
    for i, x in enumerate(stream):
        inside += x
        if (i + 1) % block == 0:
            done += np.random.laplace(inside, 1 / eps_block)
            inside = 0.0
            shown = done
        else:
            shown += np.random.laplace(x, 1 / eps_item)
        out.append(shown)
    return out
