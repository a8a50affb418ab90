import secrets


def roll_die() -> int:
    return secrets.randbelow(6) + 1


def dice_survey(truth: bool) -> bool:
    """Have you ever ...? Roll a die: answer truthfully unless it shows a six; then toss a coin and say that."""
    if roll_die() != 6:
        return truth
    return secrets.randbelow(2) == 1
