import random


def survey(people):
    """Unrelated question: half of the people say whether they did it, half whether they were born in spring."""
    answers = []
    for did_it in people:
        if random.random() < 0.5:
            answers.append(did_it)
        else:
            answers.append(random.random() < 0.25)
    return answers
