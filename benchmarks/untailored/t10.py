import secrets


def flip_coin():
    return "heads" if secrets.randbelow(2) == 0 else "tails"


def answer_survey(did_it):
    """Warner: a first coin decides whether to tell the truth, the second one answers instead."""
    first = flip_coin()
    if first == "heads":
        return "Yes" if did_it else "No"
    second = flip_coin()
    if second == "heads":
        return "Yes"
    return "No"
