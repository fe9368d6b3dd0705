"""In the place of `tau2.environment.db`: the base of a domain's database."""

from tau2.utils.pydantic_utils import BaseModelNoExtra


class DB(BaseModelNoExtra):
    def get_statistics(self):
        return {}
