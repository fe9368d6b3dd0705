"""How large a model is: read from its own files where they lie here, else as ordinary models of its size are.

Belongs here: parameters, layers and widths. Does not: what they come to in memory and time (`estimates`), or loading
anything.
"""

import json
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from .failures import RecipeError
from .recipe import Policy

_WIDTH_OF_BILLION = 2_048
_LAYERS = 32
_KEYS_AND_VALUES = 2 * 1_024
"""Numbers a token and layer keeps for the tokens after it: eight heads of 128."""
_INDEX, _WEIGHTS = "model.safetensors.index.json", "*.safetensors"


@dataclass(frozen=True, slots=True)
class Shape:
    parameters: int
    layers: int
    width: float
    keys_and_values: float
    """Numbers a token and layer keeps for the tokens after it."""
    is_known: bool
    """Whether all of it was read, and nothing assumed."""


def shape_of(policy: Policy) -> Shape:
    folder = _folder(policy.base)
    config = _read(folder / "config.json") if folder is not None else {}
    config = config.get("text_config", config)  # of models that see, too
    counted = _counted(folder) if folder is not None else 0
    parameters = counted or round((policy.parameters or 0) * 1e9)
    if not parameters:
        raise RecipeError(
            f"How many parameters {policy.base} has is not known here: say it in `policy.parameters`, in billions."
        )
    width = config.get("hidden_size", _WIDTH_OF_BILLION * max(1.0, (parameters / 1e9) ** 0.33))
    heads = config.get("num_attention_heads", 0)
    kept = 2 * config.get("num_key_value_heads", heads) * config.get("head_dim", width / max(heads, 1))
    layers = config.get("num_hidden_layers", _LAYERS)
    return Shape(parameters, layers, width, kept or _KEYS_AND_VALUES, bool(counted and heads))


def _folder(base: str) -> Path | None:
    """Where the files of a model lie: its own folder, that of the model it adapts, or the cache of downloads."""
    folder = Path(base)
    if (folder / "adapter_config.json").is_file():
        return _folder(str(_read(folder / "adapter_config.json").get("base_model_name_or_path")))
    if (folder / "config.json").is_file():
        return folder
    try:
        from huggingface_hub import try_to_load_from_cache

        found = try_to_load_from_cache(base, "config.json")
    except (ImportError, ValueError):  # the extra `train` is not installed, or this is the name of no model
        return None
    return Path(found).parent if isinstance(found, str) else None


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise RecipeError(f"{path} cannot be read: {error}") from error
    return found if isinstance(found, dict) else {}


def _counted(folder: Path) -> int:
    """By the headers of the files with weights; 0 where there is none, or where not all are here."""
    names = set(_read(folder / _INDEX)["weight_map"].values()) if (folder / _INDEX).is_file() else None
    files = [folder / name for name in names] if names is not None else [*folder.glob(_WEIGHTS)]
    if not all(path.is_file() for path in files):
        return 0
    return sum(prod(one["shape"]) for path in files for name, one in _header(path).items() if name != "__metadata__")


def _header(path: Path) -> dict[str, Any]:
    """Of a file of safetensors: the length of what follows in eight bytes, and that as JSON."""
    with path.open("rb") as file:
        found: dict[str, Any] = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return found
