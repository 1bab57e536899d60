"""`fleet import`: what would the files of another product be here?"""

from pathlib import Path
from typing import Annotated

import typer

from fleet.cli.console import say
from fleet.errors import ErrorList
from fleet.explain.sentences import counted, finding_sentence
from fleet.load.importing import import_files
from fleet.load.written import Written
from fleet.pipeline import rehearse

_SHOWN = 20
Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH...", help="Files or folders, also 'kubectl get -o yaml' lists."),
]
To = Annotated[str, typer.Option("--to", metavar="FOLDER", help="Where fleet's own files go.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]


def import_(paths: Paths, *, to: To, force: Force = False) -> None:
    """Turn documents of other products into files of fleet.

    Karmada, Open Cluster Management, KubeFed, KubeFleet, ClusterProfile and Cluster API: clusters
    go to inventory/, policies to policies/, what they place to workloads/. Each finding says what
    is not the same. Exit 2: a file is wrong, or exists already; then nothing is written.
    """
    written = import_files(paths, Path.cwd())
    if written.snapshot is not None:
        rehearse(written.snapshot)
    _check_free(written, Path(to), force=force)
    for path, text in written.files.items():
        file = Path(to) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        say(f"{file}\n")
    for finding in written.findings:
        say(f"{finding.source}: {finding_sentence(finding)}\n")
    for source, sentence in written.left[:_SHOWN]:
        say(f"{source}: not written: {sentence}\n")
    if len(written.left) > _SHOWN:
        say(f"and {len(written.left) - _SHOWN} more that are not written\n")
    found = len(written.findings) + len(written.left)
    say(f"{counted(len(written.files), 'file')} written, {counted(found, 'finding')}\n")


def _check_free(written: Written, folder: Path, *, force: bool) -> None:
    """Refuses before anything is written.

    **Errors**: InvalidError with every file that exists, or whose folder cannot be one.
    """
    errors = ErrorList()
    if folder.exists() and not folder.is_dir():
        errors.add(None, "--to", f"'{folder}' is no folder", "name another one")
    for path in written.files if not force else ():
        if (folder / path).exists():
            errors.add(None, "--to", f"'{folder / path}' exists", "say --force to overwrite it")
    errors.raise_if_any()
