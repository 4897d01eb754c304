"""The command line: one file a verb, no logic of its own."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any


def main() -> None:
    """Run the command line; every failure is one message and an exit code."""
    from slant.cli.app import app
    from slant.errors import SlantError

    # Model output may hold what the terminal's encoding cannot show: never fail on printing it.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    warnings.showwarning = _warn
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here, where what goes wrong with it can still be told
    except SlantError as error:
        print(f"slant: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has gone (`slant ls | head`): that is no failure of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        print(f"slant: {error.strerror or error}{place}", file=sys.stderr)
        sys.exit(1)
    except Exception as error:
        if os.environ.get("SLANT_TRACEBACK"):
            raise
        print(
            f"slant: a defect of slant: {type(error).__name__}: {error}\n"
            "Run the command again with SLANT_TRACEBACK=1 to see where, and please report it.",
            file=sys.stderr,
        )
        sys.exit(1)


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"slant: {message}", file=sys.stderr)
