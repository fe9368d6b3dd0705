"""Every private name of Dagster that this project uses, and why no public one does.

Belongs here: importing those names, each with what it is used for and the nearest public way. An upgrade of Dagster
starts here, and with `tests/dagster/test_dagster_internals.py`, which shows what is relied on of each name. Those of
storages are in `storage`, since half a second and 30 MB of SQLAlchemy and Alembic come with them. Does not: anything
that uses them.
"""

from dagster._core.definitions.asset_checks.asset_check_evaluation import (
    # The plan of a check, which the event log stores for each partition. Dagster alone makes them.
    AssetCheckEvaluationPlanned,
    # Says which materialization a check has judged, so that a later one makes the verdict out of date.
    # `dg.AssetCheckResult` fills it in, but names no partition, and a step of ours judges many.
    AssetCheckEvaluationTargetMaterializationData,
)
from dagster._core.definitions.data_version import (
    # The tags of a materialization that staleness is computed from: what came out, that it was named by us, by which
    # code, from which version and which materialization of each input. `dg.MaterializeResult(data_version=…)` sets
    # them, the same for all partitions of a step.
    CODE_VERSION_TAG,
    DATA_VERSION_IS_USER_PROVIDED_TAG,
    DATA_VERSION_TAG,
    # The version of an input that was not there. Publicly it could only be written out, as `dg.DataVersion("NULL")`.
    NULL_DATA_VERSION,
    get_input_data_version_tag,
    get_input_event_pointer_tag,
)
from dagster._core.definitions.source_asset import (
    # In the metadata of a step's result it keeps Dagster from materializing all partitions of the range with one data
    # version. Publicly a step can only have no output, and then Dagster skips the steps after it.
    SYSTEM_METADATA_KEY_SOURCE_ASSET_OBSERVATION as NO_AUTOMATIC_EVENTS,
)
from dagster._core.errors import (
    # What `dg.PipesSubprocessClient` raises when its process fails. With `dg.open_pipes_session` instead, starting,
    # watching and ending the process would be ours to write.
    DagsterPipesExecutionError,
    # Lets Ctrl-C end a run in which no step is at work. While a run is executed in a process, Dagster keeps signals for
    # its steps, and there is no public way to ask for one.
    raise_execution_interrupts,
)
from dagster._serdes import (
    # How a storage of `dagster.yaml` is named. Whoever writes a storage has to take it; it is not exported.
    ConfigurableClassData,
)
from dagster_shared.error import (
    # The type of the error in the event of a step that failed. The event is public, its error's type is not.
    SerializableErrorInfo,
)

__all__ = [
    "CODE_VERSION_TAG",
    "DATA_VERSION_IS_USER_PROVIDED_TAG",
    "DATA_VERSION_TAG",
    "NO_AUTOMATIC_EVENTS",
    "NULL_DATA_VERSION",
    "AssetCheckEvaluationPlanned",
    "AssetCheckEvaluationTargetMaterializationData",
    "ConfigurableClassData",
    "DagsterPipesExecutionError",
    "SerializableErrorInfo",
    "get_input_data_version_tag",
    "get_input_event_pointer_tag",
    "raise_execution_interrupts",
]
