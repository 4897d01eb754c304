r"""p-values of what next to no exchange reaches: more draws, where they can show more.

Ten thousand draws give no p below 0.0001. But few units give none much lower however many are
drawn: where one group alone leans, it leans after an exchange, too, if it gets its own wordings
back, and with G groups and K kinds of wordings that happens in one of :math:`G^K` exchanges.
(Hence no tail is fitted to the largest draws, as Knijnenburg et al. 2009 do: those exchanges
are so rare that the fit knows nothing of them, and its p may be a hundred times too small.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import p_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

MOST = 1_000_000
"""Draws, at most."""

_FEW = 10


def rare_p(
    draw: Callable[[int], Floats], observed: ArrayLike, draws: int, *, smallest: float
) -> Floats:
    r"""Compare statistics with exchanged ones, drawing more of them where few are as extreme.

    Where fewer than ten of the draws are as extreme as the data, draws are made anew: so many
    that two of them are expected where p is smallest, a million at most. The new ones do not lean
    on the old, so that looking twice makes no p too small: at most :math:`\alpha` of the time
    :math:`p \le \alpha`, as with either.

    Parameters
    ----------
    draw
        Gives so many two-sided statistics of exchanged data, shape (draws, groups), or fewer: all
        arrangements there are.
    observed
        Statistics of the data, shape (groups,).
    draws
        How many at first.
    smallest
        The smallest p that data can have, about.

    Returns
    -------
    numpy.ndarray
        p-values in (0, 1], shape (groups,).

    References
    ----------
    Phipson and Smyth (2010), see `p_value`. Besag and Clifford (1991), "Sequential Monte Carlo
    p-values", Biometrika 78. Knijnenburg, Wessels, Reinders and Shmulevich (2009), "Fewer
    permutations, more accurate P-values", Bioinformatics 25.
    """
    data = np.asarray(observed, dtype=np.float64)
    null = draw(draws)
    p = p_value(null, data)
    more = int(min(2 / smallest, MOST))
    rare = p * (len(null) + 1) <= _FEW
    if len(null) >= draws and more >= 2 * draws and rare.any():
        p[rare] = p_value(draw(more)[:, rare], data[rare])
    return p
