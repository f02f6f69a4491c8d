"""Limit surfaces of planar sliding: convex polynomial models and their identification (document 3)."""

from .baselines import grid_points, howe_cutkosky, pressure_grid
from .block import TriangularBlock
from .certificate import Certificate, Proof, certify
from .download import fetch, fetch_all, is_available
from .eigen_directions import EigenDirections, eigen_directions
from .free_sliding import Slide, slide, slide_many
from .friction_cone import friction_cone, in_cone
from .gaussian_process import GaussianProcessModel
from .ideal import Facet, IdealSurface, SupportPoints, centre_of_rotation, twist_about
from .ideal_inverse import twist_of_load
from .identification import fit
from .inverse import Inversion, InversionStatus
from .model import LimitSurfaceModel
from .objectives import BOARD_GRID, SIMULATION_GRID, WeightGrid, Weights
from .online import OnlineFit, ProjectedGradient
from .poke_prediction import predict_pokes, touch_of_finger
from .polynomial import Monomials, monomials
from .protocol import make_trial
from .pushing import Push, PushMode, motion_cone, push
from .report import FitReport, FitStatus
from .robot_data import PokeLog, Pokes, extract_pokes, load_pokes, read_poke_log
from .stable_push import conservative_region, is_stable_push
from .statics import statics_pressures
from .study import paper_cells, run_study, run_trial
from .surface_mesh import SurfaceMesh
from .two_point_data import TwoPointPushes, load_two_point_pushes
from .two_point_study import judge, scores, table_predictions
from .uncertainty import TwistCones, bootstrap
from .uniform import UniformDisc, UniformPolygon, UniformRectangle, UniformRing

__all__ = [
    "BOARD_GRID",
    "SIMULATION_GRID",
    "Certificate",
    "EigenDirections",
    "Facet",
    "FitReport",
    "FitStatus",
    "GaussianProcessModel",
    "IdealSurface",
    "Inversion",
    "InversionStatus",
    "LimitSurfaceModel",
    "Monomials",
    "OnlineFit",
    "PokeLog",
    "Pokes",
    "ProjectedGradient",
    "Proof",
    "Push",
    "PushMode",
    "Slide",
    "SupportPoints",
    "SurfaceMesh",
    "TriangularBlock",
    "TwistCones",
    "TwoPointPushes",
    "UniformDisc",
    "UniformPolygon",
    "UniformRectangle",
    "UniformRing",
    "WeightGrid",
    "Weights",
    "bootstrap",
    "centre_of_rotation",
    "certify",
    "conservative_region",
    "eigen_directions",
    "extract_pokes",
    "fetch",
    "fetch_all",
    "fit",
    "friction_cone",
    "grid_points",
    "howe_cutkosky",
    "in_cone",
    "is_available",
    "is_stable_push",
    "judge",
    "load_pokes",
    "load_two_point_pushes",
    "make_trial",
    "monomials",
    "motion_cone",
    "paper_cells",
    "predict_pokes",
    "pressure_grid",
    "push",
    "read_poke_log",
    "run_study",
    "run_trial",
    "scores",
    "slide",
    "slide_many",
    "statics_pressures",
    "table_predictions",
    "touch_of_finger",
    "twist_about",
    "twist_of_load",
]
