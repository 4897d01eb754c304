"""Looks the locked packages up in a database of known vulnerabilities, where one can be reached.

Usage: vulnerabilities.py PIP_AUDIT, in the root of the repository.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LOCKS = [Path(__file__).parent / name for name in ("dev.txt", "torch.txt", "tools.txt")]


def main() -> str | None:
    """Say what was found; give a message where that must not stand."""
    command = [sys.argv[1], "--disable-pip", "--require-hashes", "--format=json"]
    packages = []
    for lock in LOCKS:
        asked = [*command, "--requirement", str(lock)]
        done = subprocess.run(asked, capture_output=True, text=True)  # noqa: S603
        if not done.stdout:
            print(f"{lock.name}: no database can be reached: {done.stderr.strip()[-200:]}")
            continue
        packages += json.loads(done.stdout)["dependencies"]
    known = [each for each in packages if "vulns" in each]
    print(f"{len(known)} of {len(packages)} packages were looked up")
    if not known:
        print("No database of vulnerabilities can be reached from here: nothing was checked.")
    bad = [
        f"{each['name']} {each['version']}: {', '.join(one['id'] for one in each['vulns'])}"
        for each in known
        if each["vulns"]
    ]
    return "\n".join(bad) or None


sys.exit(main())
