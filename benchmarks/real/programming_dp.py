"""Examples of the textbook Programming Differential Privacy, written anew; lists stand for
its data frames, and lists of answers for its lists of queries."""

import random

import numpy as np


def laplace_mech(v, sensitivity, epsilon):
    return v + np.random.laplace(loc=0, scale=sensitivity / epsilon)


def score(data, option):
    return data.count(option) / 1000


def exponential(x, R, u, sensitivity, epsilon):
    scores = [u(x, r) for r in R]
    probabilities = [np.exp(epsilon * score / (2 * sensitivity)) for score in scores]
    probabilities = probabilities / np.linalg.norm(probabilities, ord=1)
    return np.random.choice(R, 1, p=probabilities)[0]


def most_common(statuses, options, epsilon):
    return exponential(statuses, options, score, 1, epsilon)


def report_noisy_max(scores, R, sensitivity, epsilon):
    noisy_scores = [laplace_mech(score, sensitivity, epsilon) for score in scores]
    max_idx = np.argmax(noisy_scores)
    return R[max_idx]


def most_common_by_noise(statuses, options, epsilon):
    return report_noisy_max([statuses.count(r) for r in options], options, 1, epsilon)


def above_threshold(answers, T, epsilon):
    T_hat = T + np.random.laplace(loc=0, scale=2 / epsilon)
    for idx, answer in enumerate(answers):
        nu_i = np.random.laplace(loc=0, scale=4 / epsilon)
        if answer + nu_i >= T_hat:
            return idx
    return random.randint(0, len(answers) - 1)


def above_threshold_fail_signal(answers, T, epsilon):
    T_hat = T + np.random.laplace(loc=0, scale=2 / epsilon)
    for idx, answer in enumerate(answers):
        nu_i = np.random.laplace(loc=0, scale=4 / epsilon)
        if answer + nu_i >= T_hat:
            return idx
    return None


def naive_above_threshold(answers, T, epsilon):
    for idx, answer in enumerate(answers):
        nu_i = np.random.laplace(loc=0, scale=1 / epsilon)
        if answer + nu_i >= T:
            return idx
    return None


def sparse(answers, c, T, epsilon):
    idxs = []
    pos = 0
    epsilon_i = epsilon / c
    while pos < len(answers) and len(idxs) < c:
        next_idx = above_threshold_fail_signal(answers[pos:], T, epsilon_i)
        if next_idx == None:
            return idxs
        pos = next_idx + pos
        idxs.append(pos)
        pos = pos + 1
    return idxs


def range_query_svt(answers, c, T, epsilon):
    sparse_epsilon = epsilon / 2
    indices = sparse(answers, c, T, sparse_epsilon)
    laplace_epsilon = epsilon / (2 * c)
    return [laplace_mech(answers[i], 1, laplace_epsilon) for i in indices]


def gs_avg(ages, u, epsilon):
    clipped = np.clip(ages, None, u)
    noisy_sum = laplace_mech(clipped.sum(), u, 0.5 * epsilon)
    noisy_count = laplace_mech(len(clipped), 1, 0.5 * epsilon)
    return noisy_sum / noisy_count


def ls_at_distance(ages, u, k):
    return np.abs(u / (len(ages) - k + 1))


def dist_to_high_ls(ages, u, b):
    k = 0
    while ls_at_distance(ages, u, k) < b:
        k += 1
    return k


def ptr_avg(ages, u, b, epsilon, delta, logging=False):
    clipped = np.clip(ages, None, u)
    k = dist_to_high_ls(clipped, u, b)
    noisy_distance = laplace_mech(k, 1, epsilon)
    threshold = np.log(2 / delta) / (2 * epsilon)
    if logging:
        print(f"noisy distance {noisy_distance}, threshold {threshold}")
    if noisy_distance >= threshold:
        return laplace_mech(clipped.mean(), b, epsilon)
    else:
        return None


def saa_avg(ages, k, epsilon, u=80, l=20):
    chunk_size = int(np.ceil(len(ages) / k))
    xs = [ages[i : i + chunk_size] for i in range(0, len(ages), chunk_size)]
    answers = [np.mean(x_i) for x_i in xs]
    clipped_answers = np.clip(answers, l, u)
    return laplace_mech(np.mean(clipped_answers), (u - l) / k, epsilon)


def rand_resp_sales(response):
    truthful_response = response == "Sales"
    if np.random.randint(0, 2) == 0:
        return truthful_response
    else:
        return np.random.randint(0, 2) == 0


DOMAIN = ["Adm-clerical", "Exec-managerial", "Handlers-cleaners", "Prof-specialty", "Sales"]


def encode(response):
    return [1 if d == response else 0 for d in DOMAIN]


def perturb_bit(bit):
    p = 0.75
    q = 0.25
    sample = np.random.random()
    if bit == 1:
        if sample <= p:
            return 1
        else:
            return 0
    elif bit == 0:
        if sample <= q:
            return 1
        else:
            return 0


def unary_encoding(response):
    return [perturb_bit(b) for b in encode(response)]


def noisy_ages(ages, epsilon):
    bins = [0] * 10
    for age in ages:
        bins[min(int(age) // 10, 9)] += 1
    f = lambda x: x + np.random.laplace(loc=0, scale=1 / epsilon)
    return [f(x) for x in bins]
