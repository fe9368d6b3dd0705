"""When it is made: the sensors and the schedule.

Belongs here: noticing that something is to be done, and asking for the run that does it. Does not: what the run does
(`jobs`, `assets`).
"""
