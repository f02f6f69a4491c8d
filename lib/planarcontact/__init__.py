"""Planar contact: dynamics, contact states and limit surfaces.

The three parts are independent sub-packages, one per document that the book accompanies:

- `planarcontact.dynamics`: rigid bodies whose contact with a plane is a non-convex patch.
- `planarcontact.contact_states`: which principal contacts are on at a planar pose.
- `planarcontact.limit_surface`: convex polynomial limit surfaces for planar sliding.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("planarcontact")
except PackageNotFoundError:  # used from a source tree that is not installed
    __version__ = "0+unknown"

__all__ = ["__version__"]
