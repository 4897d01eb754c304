from __future__ import annotations

import pytest
import torch
from torch import nn

from slant.likelihoods.packed_linear import pack_linear_layers


def layers() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(32, 48), nn.GELU(), nn.Linear(48, 16, bias=False)).eval()


@pytest.mark.parametrize("shape", [(1, 32), (7, 32), (2, 5, 32), (600, 32)])
def test_packed_layers_give_what_they_gave(shape: tuple[int, ...]) -> None:
    plain, packed = layers(), layers()
    assert pack_linear_layers(packed) == 2
    rows = torch.randn(shape)
    with torch.inference_mode():
        torch.testing.assert_close(packed(rows), plain(rows), rtol=1e-5, atol=1e-6)


def test_a_tied_embedding_can_still_be_looked_up() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.head = nn.Embedding(20, 8), nn.Linear(8, 20, bias=False)
            self.head.weight = self.embed.weight

    model = Tied().eval()
    rows = model.embed.weight.detach().clone()
    assert pack_linear_layers(model) == 1
    with torch.inference_mode():
        assert torch.equal(model.embed(torch.arange(20)), rows)
        torch.testing.assert_close(model.head(rows), rows @ rows.T, rtol=1e-5, atol=1e-5)


def test_other_number_types_are_left_alone() -> None:
    model = layers().to(torch.bfloat16)
    assert pack_linear_layers(model) == 0
    assert model[0].weight.dtype == torch.bfloat16


def test_a_torch_that_cannot_pack_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    assert pack_linear_layers(layers()) == 0
