"""Runs a command with secrets in its environment: each file is a variable, named as the file.

So that no key and no password stands in a compose file, an image or a shell's history:

    python flows/deploy/with_secrets.py prefect server start

Folders come from SECRETS (separated by ":"), else /run/secrets, where containers find theirs.
"""

import os
import sys
from pathlib import Path


def secrets(folders: str) -> dict[str, str]:
    """The variables that the files of `folders` hold; hidden files and missing folders are none."""
    found: dict[str, str] = {}
    for folder in map(Path, folders.split(":")):
        if folder.is_dir():
            for file in sorted(folder.iterdir()):
                if file.is_file() and not file.name.startswith("."):
                    found[file.name.upper()] = file.read_text(encoding="utf-8").strip()
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: with_secrets.py COMMAND [ARGUMENT ...]")
    os.environ.update(secrets(os.environ.get("SECRETS", "/run/secrets")))
    os.execvp(sys.argv[1], sys.argv[1:])
