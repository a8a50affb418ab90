import random


def hierarchy(data, eps):
    """Counts of the halves, quarters and eighths of the domain 0..7; the size is known."""
    out = []
    width = 4
    while width >= 1:
        for start in range(0, 8, width):
            count = 0
            for v in data:
                if start <= v < start + width:
                    count += 1
            noise = random.expovariate(eps / 6) - random.expovariate(eps / 6)
            out.append(count + noise)
        width = width // 2
    return out
