"""Datasets: what is taken out of released environments and their trajectories for training.

Belongs here: selecting and shortening trajectories, rows, splits, rows in trainers' formats. Does not: playing tasks
(`rollouts`), making them (`tasks`), training, and exporting environments (`exchange`).
"""
