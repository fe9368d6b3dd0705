"""What some themes have besides: announcements, notices, groups, attachments, blocks."""

from typing import Any

from envfactory_dagster.language.embedded.kit import (
    Tool,
    boolean,
    choice,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.messaging.fragments import FIND_MINE, STILL_OPEN, writable
from envfactory_dagster.language.embedded.modules.messaging.rows import BLOCKED, CLOSED, KINDS, RECENT, UNREAD
from envfactory_dagster.language.embedded.modules.messaging.writing import anothers_thread
from envfactory_dagster.language.embedded.world import View


def outsiders(view: View, thread_id: int) -> list[int]:
    """Active people who take no part in a thread."""
    inside = {row["person_id"] for row in view.rows("party") if row["thread_id"] == thread_id}
    return [row["id"] for row in writable(view) if row["id"] not in inside]


def _addition(view: View) -> dict[str, Any]:
    return {"thread_id": RECENT, "person_id": outsiders(view, RECENT)[0]}


_BULLETINS = (
    Tool(
        name="list_$bulletins",
        about="List the $Bulletins, latest first, with those that have expired only if wanted.",
        effect="read",
        when="full",
        params={"with_expired": {**boolean("Whether to list expired ones too."), "default": False}},
        returns={
            "$bulletins": many(
                row_of("bulletin", "id", "title", "place_id", "must_confirm", "published_at", "expires_on")
            )
        },
        code="""
            rows = env.query(
                "SELECT id, title, must_confirm, published_at, expires_on"
                #: if place
                ", $place_id"
                #: end
                " FROM $bulletins WHERE (:all = 1 OR expires_on >= :today) ORDER BY published_at DESC, id",
                {"all": int(with_expired), "today": env.now[:10]},
            )
            return {"$bulletins": rows}
        """,
        good=lambda view: {"with_expired": True},
    ),
    Tool(
        name="count_$receipts",
        about="Count who has confirmed having read $aBulletin, and whether the signed-in $Person has.",
        effect="read",
        when="full receipts",
        params={"$bulletin_id": ident("bulletin")},
        returns={"confirmed": integer(), "by_me": boolean()},
        code="""
            if env.one("SELECT id FROM $bulletins WHERE id = ?", [$bulletin_id]) is None:
                raise env.Error(f"there is no $Bulletin {$bulletin_id}")
            row = env.one(
                "SELECT count(*) AS n, coalesce(sum($person_id = ?), 0) AS mine FROM $receipts WHERE $bulletin_id = ?",
                [env.user_id, $bulletin_id],
            )
            return {"confirmed": row["n"], "by_me": row["mine"] == 1}
        """,
        good=lambda view: {"bulletin_id": 1},
        bad=lambda view: {"bulletin_id": view.missing("bulletin")},
    ),
    Tool(
        name="confirm_$bulletin",
        about="Confirm having read $aBulletin that asks for it.",
        effect="create",
        principal="user",
        when="full receipts",
        params={"$bulletin_id": ident("bulletin")},
        returns={"$receipt_id": integer(), "confirmed_at": text()},
        code="""
            bulletin = env.one("SELECT must_confirm FROM $bulletins WHERE id = ?", [$bulletin_id])
            if bulletin is None or not bulletin["must_confirm"]:
                raise env.Error("there is nothing to confirm")
            if env.one(
                "SELECT id FROM $receipts WHERE $bulletin_id = ? AND $person_id = ?", [$bulletin_id, env.user_id]
            ):
                raise env.Error("you have confirmed this $Bulletin already")
            receipt_id = env.insert(
                "INSERT INTO $receipts ($bulletin_id, $person_id, confirmed_at) VALUES (?, ?, ?)",
                [$bulletin_id, env.user_id, env.now],
            )
            return {"$receipt_id": receipt_id, "confirmed_at": env.now}
        """,
        good=lambda view: {"bulletin_id": 1},
        bad=lambda view: {"bulletin_id": 2},
    ),
)

_NOTICES = (
    Tool(
        name="list_my_$notices",
        about="List the signed-in $Person's $Notices, newest first, optionally of one kind or status.",
        effect="read",
        when="full",
        params={
            "kind": optional(choice("Only $Notices of this kind.", *KINDS)),
            "status": optional(choice("Only $Notices of this status.", "new", "seen", "dismissed")),
        },
        returns={"$notices": many(row_of("notice", "id", "kind", "text", "created_at", "status", "thread_id"))},
        code="""
            rows = env.query(
                "SELECT id, kind, text, created_at, status, $thread_id FROM $notices WHERE $person_id = :me"
                " AND (:kind IS NULL OR kind = :kind) AND (:status IS NULL OR status = :status)"
                " ORDER BY created_at DESC, id",
                {"me": env.user_id, "kind": kind, "status": status},
            )
            return {"$notices": rows}
        """,
        good=lambda view: {"status": "new"},
    ),
    Tool(
        name="dismiss_$notice",
        about="Dismiss one of the signed-in $Person's $Notices.",
        effect="change",
        when="full",
        params={"$notice_id": ident("notice")},
        returns={"$notice_id": integer(), "status": choice("", "dismissed")},
        code="""
            changed = env.execute(
                "UPDATE $notices SET status = 'dismissed' WHERE id = ? AND $person_id = ? AND status <> 'dismissed'",
                [$notice_id, env.user_id],
            )
            if changed == 0:
                raise env.Error(f"you have no $Notice {$notice_id} to dismiss")
            return {"$notice_id": $notice_id, "status": "dismissed"}
        """,
        good=lambda view: {"notice_id": view.mine("notice", lambda row: row["status"] == "new")[0]["id"]},
        bad=lambda view: {"notice_id": view.need("notice", lambda row: row["person_id"] != 1)["id"]},
    ),
)

_GROUPS = (
    Tool(
        name="list_$partys",
        about="List who takes part in one of the signed-in $Person's $Threads.",
        effect="read",
        when="groups",
        params={"$thread_id": ident("thread")},
        returns={"$partys": many(row_of("party", "id", "person_id", "joined_at", **{"$person_name": text()}))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT y.id, y.$person_id, y.joined_at, a.name AS $person_name FROM $partys y"
                " JOIN $persons a ON a.id = y.$person_id WHERE y.$thread_id = ? ORDER BY y.joined_at, y.id",
                [$thread_id],
            )
            return {"$partys": rows}
        """,
        good=lambda view: {"thread_id": UNREAD},
        bad=anothers_thread,
    ),
    Tool(
        name="add_$party",
        about="Let another active $Person take part in an open $Thread of the signed-in $Person.",
        effect="create",
        when="full groups",
        params={"$thread_id": ident("thread"), "$person_id": ident("person", "Id of the other $Person.")},
        returns={"$party_id": integer(), "joined_at": text()},
        code=FIND_MINE
        + STILL_OPEN
        + """
            other = env.one("SELECT status FROM $persons WHERE id = ?", [$person_id])
            if other is None or other["status"] != "active":
                raise env.Error(f"there is no active $Person {$person_id}")
            if env.one("SELECT id FROM $partys WHERE $thread_id = ? AND $person_id = ?", [$thread_id, $person_id]):
                raise env.Error("this $Person takes part already")
            #: if message_thread_size
            parties = env.one("SELECT count(*) AS n FROM $partys WHERE $thread_id = ?", [$thread_id])
            if parties["n"] >= $mostparties:
                raise env.Error("$mostparties $Persons take part already, the most allowed")
            #: end
            party_id = env.insert(
                "INSERT INTO $partys ($thread_id, $person_id, joined_at) VALUES (?, ?, ?)",
                [$thread_id, $person_id, env.now],
            )
            return {"$party_id": party_id, "joined_at": env.now}
        """,
        good=_addition,
        bad=lambda view: _addition(view) | {"person_id": 1},
    ),
)

_CLIPS = (
    Tool(
        name="list_$thread_$clips",
        about="List what was sent along in one of the signed-in $Person's $Threads, largest first.",
        effect="read",
        when="full attachments",
        params={"$thread_id": ident("thread")},
        returns={"$clips": many(row_of("clip", "id", "message_id", "file_name", "kilobytes"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT k.id, k.$message_id, k.file_name, k.kilobytes FROM $clips k"
                " JOIN $messages m ON m.id = k.$message_id WHERE m.$thread_id = ?"
                " AND m.status = 'sent' ORDER BY k.kilobytes DESC, k.id",
                [$thread_id],
            )
            return {"$clips": rows}
        """,
        good=lambda view: {"thread_id": CLOSED},
        bad=anothers_thread,
    ),
)

_BLOCKS = (
    Tool(
        name="list_my_$blocks",
        about="List whom the signed-in $Person has blocked.",
        effect="read",
        when="full blocks",
        params={},
        returns={"$blocks": many(row_of("block", "id", "blocked_id", "since_on", name=text()))},
        code="""
            rows = env.query(
                "SELECT b.id, b.blocked_id, b.since_on, a.name FROM $blocks b JOIN $persons a ON a.id = b.blocked_id"
                " WHERE b.$person_id = ? ORDER BY a.name, b.id",
                [env.user_id],
            )
            return {"$blocks": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="block_$person",
        about="Block another $Person for the signed-in $Person.",
        effect="create",
        when="full blocks",
        params={"$person_id": ident("person", "Id of the other $Person.")},
        returns={"$block_id": integer(), "since_on": text()},
        code="""
            if $person_id == env.user_id or env.one("SELECT id FROM $persons WHERE id = ?", [$person_id]) is None:
                raise env.Error(f"there is no other $Person {$person_id}")
            if env.one("SELECT id FROM $blocks WHERE $person_id = ? AND blocked_id = ?", [env.user_id, $person_id]):
                raise env.Error("you have blocked this $Person already")
            block_id = env.insert(
                "INSERT INTO $blocks ($person_id, blocked_id, since_on) VALUES (?, ?, ?)",
                [env.user_id, $person_id, env.now[:10]],
            )
            return {"$block_id": block_id, "since_on": env.now[:10]}
        """,
        good=lambda view: {"person_id": writable(view)[0]["id"]},
        bad=lambda view: {"person_id": BLOCKED},
    ),
    Tool(
        name="lift_$block",
        about="Lift one of the signed-in $Person's $Blocks.",
        effect="delete",
        when="full blocks",
        params={"$block_id": ident("block")},
        returns={"$block_id": integer()},
        code="""
            if env.execute("DELETE FROM $blocks WHERE id = ? AND $person_id = ?", [$block_id, env.user_id]) == 0:
                raise env.Error(f"you have no $Block {$block_id}")
            return {"$block_id": $block_id}
        """,
        good=lambda view: {"block_id": 1},
        bad=lambda view: {"block_id": view.need("block", lambda row: row["person_id"] != 1)["id"]},
    ),
)

EXTRAS = (*_BULLETINS, *_NOTICES, *_GROUPS, *_CLIPS, *_BLOCKS)
