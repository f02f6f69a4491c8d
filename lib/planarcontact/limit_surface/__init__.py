"""Limit surfaces of planar sliding: convex polynomial models and their identification (document 3)."""

from .certificate import Certificate, Proof, certify
from .identification import fit
from .inverse import Inversion, InversionStatus
from .model import LimitSurfaceModel
from .objectives import Weights
from .polynomial import Monomials, monomials
from .report import FitReport, FitStatus

__all__ = [
    "Certificate",
    "FitReport",
    "FitStatus",
    "Inversion",
    "InversionStatus",
    "LimitSurfaceModel",
    "Monomials",
    "Proof",
    "Weights",
    "certify",
    "fit",
    "monomials",
]
