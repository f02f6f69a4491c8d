"""Limit surfaces of planar sliding: convex polynomial models and their identification (document 3)."""

from .block import TriangularBlock
from .certificate import Certificate, Proof, certify
from .download import fetch, fetch_all
from .gaussian_process import GaussianProcessModel
from .ideal import Facet, SupportPoints
from .identification import fit
from .inverse import Inversion, InversionStatus
from .model import LimitSurfaceModel
from .objectives import BOARD_GRID, SIMULATION_GRID, WeightGrid, Weights
from .polynomial import Monomials, monomials
from .report import FitReport, FitStatus
from .robot_data import PokeLog, Pokes, load_pokes, read_poke_log
from .statics import statics_pressures
from .surface_mesh import SurfaceMesh
from .uniform import UniformDisc, UniformRectangle, UniformRing

__all__ = [
    "BOARD_GRID",
    "SIMULATION_GRID",
    "Certificate",
    "Facet",
    "FitReport",
    "FitStatus",
    "GaussianProcessModel",
    "Inversion",
    "InversionStatus",
    "LimitSurfaceModel",
    "Monomials",
    "PokeLog",
    "Pokes",
    "Proof",
    "SupportPoints",
    "SurfaceMesh",
    "TriangularBlock",
    "UniformDisc",
    "UniformRectangle",
    "UniformRing",
    "WeightGrid",
    "Weights",
    "certify",
    "fetch",
    "fetch_all",
    "fit",
    "load_pokes",
    "monomials",
    "read_poke_log",
    "statics_pressures",
]
