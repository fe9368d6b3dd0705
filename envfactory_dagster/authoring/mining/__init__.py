"""Mining: an agent reads documents, step by step, and writes down records that say where they were found.

Belongs here: the miner, what it may do, the gate on what it found, growth, tables made of it. Does not: reading
documents (`sources`).
"""
