"""Reviews: stars and words about things, replies, helpful votes, reports, and what moderators decide.

What is reviewed are the things of another module, each with a page of its own, or names of this module's own. With the
option `moderated` a review waits for a ruling, which its author can appeal.
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.reviews.asks import ASKS
from envfactory_dagster.language.embedded.modules.reviews.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.reviews.reading import READING
from envfactory_dagster.language.embedded.modules.reviews.rows import ENTITIES, RULES, generate
from envfactory_dagster.language.embedded.modules.reviews.writing import WRITING

MODULE = Module(
    name="reviews",
    about="$persons write $Reviews and read what others think",
    roles={
        "subject": ("review page", "listing", "feature page"),
        "review": ("review", "testimonial", "write-up"),
        "criterion": ("criterion|criteria", "aspect", "quality mark"),
        "score": ("aspect score", "mark", "sub-rating"),
        "reply": ("reply", "comment", "follow-up"),
        "vote": ("helpful vote", "upvote", "thumbs-up|thumbs-ups"),
        "report": ("abuse report", "content flag", "objection"),
        "moderator": ("moderator", "editor", "reviewing clerk"),
        "ruling": ("ruling", "moderation decision", "verdict"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*READING, *WRITING, *EXTRAS),
    asks=ASKS,
    generate=generate,
    links=("thing", "staff"),
    options=("aspects", "votes", "replies", "reports", "moderated"),
    settings={"editdays": (5, 7, 10, 14), "words": (6, 8, 10)},
    keywords=("review", "rating", "rate", "stars", "feedback", "testimonial", "moderation", "opinion"),
)
