"""Translation validation: runs of a mechanism's text by Python's rules, beside runs of its core program.

Nothing here is trusted, and nothing here makes a verdict better: a difference refuses a program that the
reader took.  Source: Pnueli, Siegel and Singerman 1998, "Translation validation".
"""
