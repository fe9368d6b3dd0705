"""In the place of `tau2.utils.pydantic_utils`."""

from pydantic import BaseModel, ConfigDict


class BaseModelNoExtra(BaseModel):
    model_config = ConfigDict(extra="forbid")


def update_pydantic_model_with_dict(model, update):
    return type(model).model_validate(_merged(model.model_dump(), update))


def _merged(old, new):
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    return old | {key: _merged(old.get(key), value) for key, value in new.items()}
