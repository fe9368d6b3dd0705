"""What pyproject.toml cannot say: the folder `trainer` is installed under a name that is nobody else's."""

from setuptools import find_namespace_packages, setup

setup(
    packages=[*find_namespace_packages(include=["envfactory_dagster*"]), "envfactory_trainer"],
    package_dir={"envfactory_trainer": "trainer"},
)
