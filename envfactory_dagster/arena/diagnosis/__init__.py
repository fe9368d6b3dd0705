"""Diagnosis: why episodes of a round were failed, where a policy is weak, what it should practise.

Belongs here: classes and tables that are computed, and asking a model to read them. Does not: playing, and verdicts.
"""
