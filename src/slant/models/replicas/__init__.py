"""Many copies of one model: in processes of this machine, or on a Ray cluster.

`executor` reads what the user wrote after `--executor`, `model` is what the engine sees: a model
that hands its batches to workers. `pool` and `ray_cluster` are the two kinds of workers, and
`model_copy` is what each of them holds.
"""

from slant.models.replicas.model import replicate

__all__ = ["replicate"]
