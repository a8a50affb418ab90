"""What users of OpenDP write, after the examples of its user guide."""

import opendp.prelude as dp

dp.enable_features("contrib")


def noisy_number(count, epsilon):
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    base_laplace = dp.m.make_laplace(*space, scale=1.0 / epsilon)
    return base_laplace(count)


def noisy_histogram(counts, epsilon):
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    mechanism = space >> dp.m.then_laplace(scale=1.0 / epsilon)
    return mechanism(counts)
