"""A model in a process of its own: what asks it stays small."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import asyncio, multiprocessing, sys
from slant.models.replicas.apart import Apart
from slant.records import Generate, Item, Sampling

async def ask():
    model = Apart(sys.argv[1])
    assert model.abilities == frozenset()
    model.fingerprint()
    (answer,) = await model.answer([Item("s", Generate("Two", Sampling(max_tokens=4)))], 0)
    loaded = [name for name in ("torch", "transformers") if name in sys.modules]
    print(sorted(model.abilities), answer.outcome, loaded)
    await model.close()
    print(len(multiprocessing.active_children()))

if __name__ == "__main__":
    asyncio.run(ask())
"""


def test_nothing_of_a_model_is_loaded_where_it_is_asked(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "asks.py").write_text(SCRIPT)
    ran = subprocess.run(
        [sys.executable, tmp_path / "asks.py", f"hf:{tiny / 'chatty'}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert ran.stdout.splitlines() == [
        "['chat', 'choose', 'likelihood', 'raw'] answered []",
        "0",
    ]
