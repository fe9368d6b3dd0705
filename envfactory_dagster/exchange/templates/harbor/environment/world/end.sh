#!/bin/sh
# Ends the episode and waits until it is written. Run in this container by the harness, after the agent.
kill -USR1 1
for attempt in $(seq 120); do
    [ -f /episode/final.sqlite ] && [ -f /episode/episode.json ] && exit 0
    sleep 0.5
done
echo "the episode was not written within a minute" >&2
exit 1
