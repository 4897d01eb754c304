"""Every command and every line of Python in the README is run here."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from base64 import b64decode
from pathlib import Path

import pytest
from openai_server import Asked, Reply, Server, chat, completion

import patience
from command_line import slant
from patience import PATIENCE
from slant.engine.audit import audit

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


IN_THIS_PROCESS = """
slant() {
  printf '%s\\0' "$@" | base64 -w 0 >&"$ASK"
  echo >&"$ASK"
  read -r code <&"$TOLD"
  cat out
  cat err >&2
  return "$code"
}
"""
"""`slant` for a shell: the process of the tests runs it, where everything is imported already."""


def shell(script: str, folder: Path) -> str:
    """Run a script of the README in a folder, which is the current one."""
    (asked, asking), (answered, answering) = os.pipe(), os.pipe()
    environment = {**os.environ, "ASK": str(asking), "TOLD": str(answered)}
    with subprocess.Popen(
        ["bash", "-euc", IN_THIS_PROCESS + script], cwd=folder, env=environment, text=True,
        pass_fds=(asking, answered), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as bash:  # fmt: skip
        os.close(asking)
        os.close(answered)
        with os.fdopen(asked) as commands, os.fdopen(answering, "w") as codes:
            for line in commands:
                done = slant(*b64decode(line).decode().split("\0")[:-1])
                (folder / "out").write_text(done.out)
                (folder / "err").write_text(done.err)
                print(done.code, file=codes, flush=True)
        said, complaints = bash.communicate()
    assert bash.returncode == 0, complaints
    return said


def shorten(suite: Path) -> None:
    """Leave the first of the two studies: the whole suite is audited where `init` is tested."""
    head, study, _ = suite.read_text().split("[[study]]\n")
    suite.write_text(f"{head}[[study]]\n{study}")


def answer(asked: Asked) -> Reply:
    return chat("bar.") if asked.path.endswith("chat/completions") else completion(" bar.")


@pytest.mark.usefixtures("undrawn")
def test_the_commands_after_make_work_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SLANT_API_KEY", raising=False)
    make, *commands = blocks("sh")
    assert "make audit" in make
    assert "make test" in make
    begin, rest = "\n".join(commands).split("\n", 1)
    assert begin == "slant init my-audit"
    shell(begin, tmp_path)
    shorten(tmp_path / "my-audit" / "suite.toml")
    with Server(answer, models=["my-model"]).running() as server:
        printed = shell(rest.replace("http://localhost:8000/v1", server.address), tmp_path)
    assert "Muslims" in printed
    assert "Report: my-run/report.html" in printed
    code, _ = blocks("python")
    capsys.readouterr()
    exec(code, {"__name__": "__main__"})  # noqa: S102 - what the README says
    assert "report.html" in capsys.readouterr().out


def test_the_dashboard_opens(tmp_path: Path, planted: str, suite: Path) -> None:
    (command,) = blocks("bash")
    audit(suite, planted, limit=20, out=tmp_path / "my-run")
    folder = Path(sys.executable).parent
    # `true` is a browser that opens nothing.
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "BROWSER": "true"}
    view = subprocess.Popen(
        ["bash", "-c", f"exec {command.strip()}"],
        cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert view.stderr is not None
    try:
        found = re.search(r"http://\S+", view.stderr.readline())
        assert found
        page = patience.get(found[0])
        assert page.status_code == 200
        assert "my-run" in page.text
    finally:
        view.send_signal(signal.SIGINT)
        _, complaints = view.communicate(timeout=PATIENCE)
    assert (view.returncode, complaints) == (0, "")


@pytest.mark.model
@pytest.mark.xdist_group("embedded")
def test_likelihoods_of_any_texts_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _, code = blocks("python")
    exec(code, {"__name__": "__main__"})  # noqa: S102 - what the README says
    assert "Kazuyo was kind." in capsys.readouterr().out


def test_the_make_targets_exist() -> None:
    if shutil.which("make") is None:
        pytest.skip("there is no make on this machine")
    (make, *_) = blocks("sh")
    for line in make.splitlines():
        target = line.split("#")[0].split()[1]
        done = subprocess.run(
            ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r'\]\(([^)#]+)[^)]*\)|(?:src|srcset)="([^"]+)"', text):
        link = target[0] or target[1]
        if "://" not in link:
            assert ((ROOT / page).parent / link).exists(), link
