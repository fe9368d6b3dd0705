"""What assets are partitioned by.

Belongs here: partitions definitions. Does not: deciding which keys there are (`theme_pool` adds them).
"""

import dagster as dg

environments = dg.DynamicPartitionsDefinition(name="environments")
"""One key per environment, a slug, in the order of making, so that new ones are contiguous: one range takes them."""
