"""Pictures that are drawn when the reader comes near them: the page does not wait for them."""

from __future__ import annotations


def lazy_svg(address: str) -> str:
    """Write an empty SVG that the page's script fills from an address.

    Parameters
    ----------
    address
        Of a drawing that only shapes and text are let into; quoted, as `links.address` does.
    """
    return f'<svg class="later" data-later="{address}"></svg>'
