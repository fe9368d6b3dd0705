import collections


def solve(tools):
    plays = tools.list_music_played(first_day="2026-04-01", last_day="2026-04-05")["plays"]
    estonian = sum(1 for one in plays if one["estonian"] == 1)
    reruns = sum(1 for one in plays if one["night_rerun_id"] is not None)
    counts = collections.Counter((one["title"], one["artist"]) for one in plays)
    (title, artist), times = counts.most_common(1)[0]
    return {
        "outcome": "done",
        "answers": {"plays": len(plays), "estonian_plays": estonian, "most_played": title, "rerun_plays": reruns},
        "reason": None,
        "message": f"From 1 to 5 April music was played {len(plays)} times, {estonian} times Estonian and {reruns} times in night reruns alone; "
                   f"most often, {times} times, {title} by {artist}.",
    }
