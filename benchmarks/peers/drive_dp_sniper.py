"""Asks DP-Sniper for a lower bound on epsilon of one of its own mechanisms; runs in DP-Sniper's Python.

python drive_dp_sniper.py MODULE.CLASS [NAME=NUMBER ...] --outputs N [--inputs N] [--samples N]

The classifier and the inputs are those of its published experiments with logistic regression.
"""

import argparse
import importlib

from dpsniper.attack.dpsniper import DPSniper
from dpsniper.classifiers.classifier_factory import LogisticRegressionFactory
from dpsniper.classifiers.feature_transformer import FlagsFeatureTransformer
from dpsniper.classifiers.torch_optimizer_factory import SGDOptimizerFactory
from dpsniper.input.input_domain import InputBaseType, InputDomain
from dpsniper.input.pattern_generator import PatternGenerator
from dpsniper.search.ddconfig import DDConfig
from dpsniper.search.ddsearch import DDSearch
from dpsniper.utils.initialization import initialize_dpsniper


def main():
    """Prints the bound, and whether it is above the epsilon that the mechanism claims."""
    options = _options()
    mechanism = _mechanism(options)
    samples = options.samples
    config = DDConfig(n_train=samples, n=samples, n_check=samples, n_final=10 * samples, n_processes=1)
    with initialize_dpsniper(config, out_dir="out", torch_threads=1):
        attacks = DPSniper(mechanism, _classifiers(options), config)
        witness = DDSearch(mechanism, attacks, _inputs(options), config).run()
        witness.compute_eps_high_precision(mechanism, config)
    said = "violation" if witness.lower_bound > options.epsilon else "nothing found"
    print("%s: eps >= %.3g" % (said, witness.lower_bound))


def _options():
    parser = argparse.ArgumentParser()
    parser.add_argument("mechanism")
    parser.add_argument("given", nargs="*")
    parser.add_argument("--epsilon", type=float, default=0.1)
    parser.add_argument("--samples", type=int, default=200000)
    parser.add_argument("--inputs", type=int, default=10)
    parser.add_argument("--outputs", type=int, required=True)
    parser.add_argument("--integers", action="store_true")
    parser.add_argument("--from", type=int, default=-10, dest="least")
    parser.add_argument("--one-differs", action="store_true")
    parser.add_argument("--flags", default="")
    return parser.parse_args()


def _mechanism(options):
    module, name = options.mechanism.split(".")
    given = {name: float(number) for name, number in (text.split("=") for text in options.given)}
    return getattr(importlib.import_module("dpsniper.mechanisms." + module), name)(eps=options.epsilon, **given)


def _classifiers(options):
    flags = [float(flag) for flag in options.flags.split(",") if flag]
    return LogisticRegressionFactory(
        feature_transform=FlagsFeatureTransformer(flags) if flags else None,
        in_dimensions=options.outputs,
        optimizer_factory=SGDOptimizerFactory(learning_rate=0.3, momentum=0.3, step_size=500),
        regularization_weight=0.001,
        epochs=10,
    )


def _inputs(options):
    kind = InputBaseType.INT if options.integers else InputBaseType.FLOAT
    return PatternGenerator(InputDomain(options.inputs, kind, [options.least, 10]), not options.one_differs)


if __name__ == "__main__":
    main()
