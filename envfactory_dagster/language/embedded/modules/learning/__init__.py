"""Learning: courses and their exercises, enrolments, submissions with grades, certificates.

With the option `intakes` people enrol in one of a course's intakes, without it in the course itself. Provides `thing`
(a course), `record` and `charge` (an enrolment), `staff` (a tutor).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.learning.asks import ASKS
from envfactory_dagster.language.embedded.modules.learning.courses import COURSES
from envfactory_dagster.language.embedded.modules.learning.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.learning.homework import HOMEWORK
from envfactory_dagster.language.embedded.modules.learning.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="learning",
    about="$Persons enrol in $Courses, hand in $Exercises and see their grades",
    roles={
        "tutor": ("tutor", "lecturer", "course leader"),
        "course": ("course", "training", "seminar", "module"),
        "intake": ("intake", "cohort", "term group"),
        "need": ("prerequisite", "entry requirement"),
        "enrolment": ("course enrolment", "registration", "course place"),
        "chapter": ("chapter", "unit", "lecture"),
        "progress": ("chapter record", "progress record", "study record"),
        "exercise": ("exercise", "assignment", "problem set", "task sheet"),
        "submission": ("submission", "paper", "solution sheet"),
        "certificate": ("certificate", "diploma", "badge"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*COURSES, *HOMEWORK, *EXTRAS),
    asks=ASKS,
    generate=generate,
    provides={"thing": "course", "record": "enrolment", "charge": "enrolment", "staff": "tutor"},
    links=("place",),
    options=("tutors", "intakes", "needs", "chapters", "certificates"),
    settings={"mostcourses": (4, 5, 6), "attempts": (2, 3), "passmark": (50, 60)},
    keywords=(
        "course",
        "learn",
        "learning",
        "student",
        "school",
        "training",
        "grade",
        "exam",
        "education",
        "certificate",
        "homework",
    ),
)
