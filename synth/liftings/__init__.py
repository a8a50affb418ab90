"""Probabilistic liftings of finite distributions."""
