"""The command line: one file a verb, no logic of its own."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any


def main() -> None:
    """Run the command line; every failure is one message and an exit code."""
    import typer

    from slant.cli.app import app
    from slant.errors import SlantError

    # Model output may hold what the terminal's encoding cannot show: never fail on printing it.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    warnings.showwarning = _warn
    try:
        try:
            code = app(standalone_mode=False)
        finally:
            sys.stdout.flush()  # here, where what goes wrong with it can still be told
        sys.exit(code if isinstance(code, int) else 0)
    except SlantError as error:
        _say(str(error))
        sys.exit(error.exit_code)
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has gone (`slant ls | head`): that is no failure of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        _say(f"{error.strerror or error}{place}")
        sys.exit(1)
    except Exception as error:
        if _is_of_a_call(error):
            _explain(error)
            sys.exit(2)
        if os.environ.get("SLANT_TRACEBACK"):
            raise
        _say(
            f"a defect of slant: {type(error).__name__}: {error}\n"
            "Run the command again with SLANT_TRACEBACK=1 to see where, and please report it."
        )
        sys.exit(1)


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(str(message))


def _is_of_a_call(error: Exception) -> bool:
    """Tell whether typer found fault with the call; what it raises has no public name."""
    return callable(getattr(error, "format_message", None))


def _explain(error: Any) -> None:
    """Say what is wrong with a call."""
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message(), file=sys.stderr)
        return
    context = error.ctx
    if context is not None:
        usage = f"{context.get_usage()}\nTry '{context.command_path} --help' for help.\n"
        print(usage, file=sys.stderr)
    print(f"Error: {_shown(error.format_message())}", file=sys.stderr)


def _say(message: str) -> None:
    print(f"slant: {_shown(message)}", file=sys.stderr)


def _shown(message: str) -> str:
    """Make safe for a terminal what may quote files, models and servers."""
    from slant.reports.safe_text import safe_text

    return safe_text(message)
