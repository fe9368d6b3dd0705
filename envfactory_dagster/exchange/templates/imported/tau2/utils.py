"""In the place of `tau2.utils`: there are no files here, only the names of some."""


class _Path(str):
    def __truediv__(self, other):
        return _Path(f"{self}/{other}")

    @property
    def parent(self):
        return _Path(self.rpartition("/")[0])


DATA_DIR = _Path("/data")


def load_file(path, **_):
    raise OSError(f"{path} is not there")


dump_file = get_dict_hash = get_pydantic_hash = load_file
