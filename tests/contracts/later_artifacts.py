"""One artifact of each kind that mining, the taxonomy and the rounds of the arena store."""

from envfactory_dagster.contracts import arena, diagnosis, evolution, mining, taxonomy
from envfactory_dagster.contracts.base import Artifact
from envfactory_dagster.contracts.truth import Dropped

_DRAW = arena.ArenaDraw(
    seed=7,
    taxonomy="ab",
    environments=[arena.DrawnEnvironment(key="shop", category="Retail", version="v1", again=True)],
    short={"Retail": 1},
)
_TASK = arena.RoundTask(id="buy", source="family", kind="action", level=2, text="Buy one.")
_RATE = arena.Rate(group="all", tasks=1, episodes=2, value=0.5, low=0.1, high=0.9)
_AT = diagnosis.EvidencePointer(environment="shop", task="buy", seed=1, step=2)


def _labels() -> list[taxonomy.Label]:
    return [
        taxonomy.Label(id=name, name=name, category="trade", representatives=[name], radius=0.5, author="computed")
        for name in ("shop", "market")
    ]


ARTIFACTS: list[Artifact] = [
    mining.SnapshotIndex(
        documents=[mining.DataDocument(id="a.csv", form="csv", bytes=9, sha256="ab", licence="CC0", fetched_at="")]
    ),
    mining.MinedData(
        kind="mined",
        snapshot="shop",
        collections=[
            mining.Collection(
                name="items",
                purpose="What is sold.",
                key="code",
                fields=[
                    mining.MinedField(name="code", type="text", meaning="Its code", one_of=["a", "b"]),
                    mining.MinedField(name="maker", type="text", meaning="Who makes it", refers_to="items"),
                    mining.MinedField(name="stock", type="integer", meaning="How many there are", invented=True),
                ],
                records=[
                    mining.MinedRecord(
                        values={"code": "a", "maker": "a", "stock": 3},
                        sources=[mining.Span(document="a.csv", table=1, first=1, last=1)],
                    )
                ],
            )
        ],
        grounded_share=1.0,
        invented_share=0.3,
        rounds=[
            mining.GrowthRound(
                number=1,
                operations=[mining.GrowthOperation(do="add_records", collection="items", what="More items.")],
                kept=False,
                reason="nothing was added",
                sizes=mining.Sizes(collections=1, fields=3, records=1, relations=1),
            )
        ],
    ),
    taxonomy.Taxonomy(
        settings=taxonomy.TaxonomySettings(),
        basis="ab",
        built_of=2,
        categories=[taxonomy.Category(id="trade", name="Trade", sentence="Where things are sold.")],
        labels=_labels(),
        placed=[
            taxonomy.PlacedEnvironment(environment=label.id, label=label.id, distance=0.1, later=True, provisional=True)
            for label in _labels()
        ],
        joins=[taxonomy.Join(id="j1", left="shop", right="market", height=0.7)],
        agreement=taxonomy.Agreement(
            author="people", annotators=["a", "b"], fleiss_kappa=0.5, adjusted_rand=0.4, contested=["shop"]
        ),
    ),
    _DRAW,
    arena.ArenaTasks(
        draw=_DRAW,
        environments=[
            arena.RoundEnvironment(
                key="shop",
                category="Retail",
                version="v2",
                tasks=[_TASK],
                dropped=[Dropped(task="sell", stage="family", reason="it was asked before")],
            )
        ],
        without_tasks={"market": "it has no task families"},
    ),
    arena.ArenaResults(
        policy="m",
        candidates=2,
        episodes="ab",
        tasks=[
            arena.ArenaTaskResult(
                environment="shop",
                category="Retail",
                task="buy",
                source="family",
                kind="action",
                level=2,
                played=2,
                passed=1,
                environment_errors=0,
            )
        ],
        overall=_RATE,
        rates={"environment": [_RATE]},
        unplayable={"market": "it does not load"},
    ),
    diagnosis.Diagnosis(
        policy="m",
        author="model",
        model="j",
        refused="",
        instances=2,
        failed=1,
        pass_rate=0.5,
        spoiled=0,
        failures=[
            diagnosis.Failure(
                at=_AT, category="Retail", failure="wrong_entity", kind="action", level=2, detail="row 3", tools=["buy"]
            )
        ],
        patterns=[
            diagnosis.FailurePattern(
                id="p1", root_cause="wrong_entity", description="Takes another row.", share=1.0, evidence=[_AT]
            )
        ],
        weak=[
            diagnosis.WeakEnvironment(
                environment="shop", rank=1, severity=0.5, pass_rate=0.5, tasks=1, patterns=["p1"], why="It fails half."
            )
        ],
        clear=True,
        guidelines=[
            diagnosis.Guideline(
                environment="shop", missing_capability="Telling rows apart.", practise=["buy"], avoid=["prices"]
            )
        ],
    ),
    arena.TargetTasks(
        environments=[
            arena.TargetEnvironment(
                key="shop",
                version="v3",
                tasks=[arena.TargetTask(**_TASK.model_dump(), guideline=0, practises=["buy"])],
            )
        ],
        missing={"shop 0": 3},
    ),
    evolution.RicherWorlds(
        worlds=[evolution.RicherWorld(environment="shop", wanted="Late orders.", reason="It was not mined.")]
    ),
    evolution.RoundPractice(
        arms=[
            evolution.ArmPractice(
                arm="targeted",
                dataset="v4",
                tasks=[
                    evolution.PractisedTask(
                        environment="shop", task="buy_2", kind="action", origin="target", because="It ends too early."
                    )
                ],
            )
        ],
        short={"base": 1},
    ),
    evolution.RoundPolicy(
        arm="targeted", name="simulated_learner:given=action.1", simulated=True, begun="simulated_learner", tasks=1
    ),
    evolution.RoundEvaluation(
        simulated=True,
        note="Nothing was learned.",
        dataset="v1",
        candidates=2,
        arms=[
            evolution.ArmEvaluation(
                arm="before",
                policy="simulated_learner",
                rates=[arena.Rate(group="all", tasks=1, episodes=2, value=0.5, low=0.0, high=1.0)],
                environment_errors=0,
            )
        ],
        differences=[
            evolution.ArmDifference(
                compared_with="before",
                policy="simulated_learner:given=action.1",
                tasks=1,
                difference=0.5,
                low=0.0,
                high=1.0,
                better=1,
                worse=0,
            )
        ],
    ),
]
