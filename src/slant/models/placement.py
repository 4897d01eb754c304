"""Where a local model runs and in which number type."""

from __future__ import annotations


def best_device() -> str:
    """Choose the fastest device that torch sees: `cuda`, `mps` or `cpu`."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def best_dtype(device: str) -> str:
    """Choose the fastest type in which a device multiplies natively."""
    import torch

    if device.startswith("cuda"):
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"
    if device == "mps":
        return "float16"
    capabilities = torch.cpu.get_capabilities()
    native = any(capabilities.get(name) for name in ("avx512_bf16", "amx_bf16", "bf16"))
    return "bfloat16" if native else "float32"
