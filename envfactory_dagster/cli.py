"""`envfactory …`: every command for people without Dagster at hand.

Belongs here: the list of commands, and how failures end. Does not: the commands (`commands`).
"""

import sys

import typer

from envfactory_dagster.commands import model
from envfactory_dagster.commands.arena import arena
from envfactory_dagster.commands.audit import audit
from envfactory_dagster.commands.build import build
from envfactory_dagster.commands.calibrate import calibrate
from envfactory_dagster.commands.call import call
from envfactory_dagster.commands.catalog import catalog
from envfactory_dagster.commands.demo import demo
from envfactory_dagster.commands.environments import list_environments, show
from envfactory_dagster.commands.evolve import evolve
from envfactory_dagster.commands.expand import expand
from envfactory_dagster.commands.export import export
from envfactory_dagster.commands.fetch import fetch
from envfactory_dagster.commands.importing import import_environments
from envfactory_dagster.commands.inspect import inspect
from envfactory_dagster.commands.measure import measure
from envfactory_dagster.commands.prune import prune
from envfactory_dagster.commands.quality import quality
from envfactory_dagster.commands.replay import replay
from envfactory_dagster.commands.serve import serve
from envfactory_dagster.commands.simulate import simulate
from envfactory_dagster.commands.study import study
from envfactory_dagster.commands.tasks import tasks
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.commands.ui import ui
from envfactory_dagster.commands.verify import verify
from envfactory_dagster.commands.view import view
from envfactory_dagster.commands.workspace import workspace
from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError

app = typer.Typer(
    name="envfactory",
    help="Executable, verified tool-use environments for training agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(demo)
app.command()(fetch)
app.command()(expand)
app.command()(build)
app.command("list")(list_environments)
app.command()(show)
app.command()(tasks)
app.command()(workspace)
app.command()(serve)
app.command()(call)
app.command()(verify)
app.command()(inspect)
app.command()(audit)
app.command()(replay)
app.command()(calibrate)
app.command()(measure)
app.command()(simulate)
app.command()(quality)
app.command()(arena)
app.command()(evolve)
app.command()(study)
app.command()(export)
app.command("import")(import_environments)
app.command()(catalog)
app.command()(view)
app.command()(prune)
app.command()(ui)
app.add_typer(model.app, name="model")


def main() -> None:
    """Failures of ours are one sentence: status 2 when the request was wrong, 1 otherwise."""
    try:
        app()
    except EnvFactoryError as failure:
        say(f"envfactory: {failure}", file=sys.stderr)
        sys.exit(2 if isinstance(failure, UsageError) else 1)
