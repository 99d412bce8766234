"""The command line: one thin file per noun, no logic."""

import sys

#: The shell's code for a program that Ctrl-C ended.
_INTERRUPTED = 130


def main() -> None:
    """Run a command; every expected error is one line on stderr and an exit code."""
    from makieval.errors import MakievalError, OfflineMiss

    try:
        from makieval.cli.app import app

        app()
    except MakievalError as error:
        print(f"makieval: {error}", file=sys.stderr)
        if isinstance(error, OfflineMiss):
            for line in error.missing:
                print(f"  {line}", file=sys.stderr)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, SystemExit) as stop:
        interrupted = isinstance(stop, KeyboardInterrupt) or stop.code == _INTERRUPTED
        if not interrupted:
            raise
        print(
            "makieval: stopped; every answer that arrived is kept, the same command goes on",
            file=sys.stderr,
        )
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        sys.exit(141)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"makieval: {where}{error.strerror or error}", file=sys.stderr)
        sys.exit(1)
