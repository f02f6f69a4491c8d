"""A limit surface as the friction of a body in three dimensions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dynamics import Body, Scene
from ..errors import InputError, UnsupportedError
from ..limit_surface import SupportPoints
from ..limit_surface.pushing import Surface, checked_surface
from ..validation import one_of, positive

__all__ = ["PatchFriction"]

Array = NDArray[np.float64]

#: Generators no higher than this share of the bounding radius above the lowest one belong to the face.
FLAT = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class PatchFriction:
    """The friction of a body whose face z = -H, body frame, is the patch of a limit surface.

    The surface gives loads (f_x, f_y, tau) in the body's axes about the projection of the COM, for twists there. They grow
    with the normal load: at p_n they are p_n / `normal_load` times those of the surface; a body in the air has none.

    Args:
        surface: a fitted model or an ideal limit surface.
        normal_load: the normal load that the surface's loads belong to [N]; the sum of the pressures if left out, which only
            `SupportPoints` have.
        pressure: "fixed" takes the surface as it is wherever the body lies flat on the face, which is exact for a COM at the
            floor's height and an assumption above it; "contact" takes from every step the normal impulses of the supports, which must be
            vertices and at most three at a time, so that it holds on an edge and on a corner too (`SupportPoints` only).
        elsewhere: what to do when the contact is not one that the law covers: "refuse", or "scene", which takes the scene's own
            ellipsoidal friction for those steps.

    Raises:
        InputError: an argument is unusable.
        UnsupportedError: "contact" for a surface that is not `SupportPoints`.
    """

    surface: Surface
    normal_load: float | None = None
    pressure: str = "fixed"
    elsewhere: str = "refuse"

    def __post_init__(self) -> None:
        surface: Any = checked_surface(self.surface)
        one_of("pressure", self.pressure, ("fixed", "contact"))
        one_of("elsewhere", self.elsewhere, ("refuse", "scene"))
        points = isinstance(surface, SupportPoints)
        if self.pressure == "contact" and not points:
            raise UnsupportedError("pressure='contact': only SupportPoints tell how friction follows the impulses of single supports; use pressure='fixed'")
        if self.normal_load is None and not points:
            raise InputError("normal_load", None, "is needed", "pass the normal load at which the surface was identified [N]")
        load = float(surface.pressures.sum()) if self.normal_load is None else positive("normal_load", self.normal_load)
        object.__setattr__(self, "normal_load", load)

    def height(self, body: Body) -> float:
        """Return the height of the COM above the face [m], once the face is one that the law can belong to.

        Raises:
            InputError: the body is none, or its lowest generators span no area or do not hold the COM's projection; the
                supports are not its corners, or their pressures are not centred under the COM.
        """
        if not isinstance(body, Body):
            raise InputError("body", body, "is not a Body")
        height, corners = _face(body)
        if not _holds_origin(corners):
            raise InputError("body", body, "stands on a face that does not hold the COM's projection", "it would tip where it stands")
        if isinstance(self.surface, SupportPoints):
            points, limit = self.surface.points, 1e-6 * body.bounding_radius
            apart = np.linalg.norm(points[:, None] - corners[None], axis=2).min(axis=1)
            if apart.max() > limit:
                k = int(apart.argmax())
                raise InputError(f"surface.points[{k}]", points[k], f"is not on a corner of the body's face, the nearest is {apart[k]:.3g} m away")
            centre = self.surface.pressures @ points / self.surface.pressures.sum()
            if self.pressure == "fixed" and np.linalg.norm(centre) > limit:
                raise InputError("surface", centre, "is its centre of pressure, which is not under the COM", "see statics_pressures")
        return height


def _face(body: Body) -> tuple[float, Array]:
    """Height of the COM above the lowest generators, and points (K, 2) of these, body axes."""
    discs = [d.centre + d.radius * (x * d.spokes[0] + y * d.spokes[1]) for d in body.discs for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    points = np.array([*body.vertices, *discs]).reshape(-1, 3)
    low = points[:, 2].min() if len(points) else np.inf
    balls = min((s.centre[2] - s.radius for s in body.spheres), default=np.inf)
    face = points[points[:, 2] <= low + FLAT * body.bounding_radius, :2]
    middle = face.mean(axis=0) if len(face) else np.zeros(2)
    spread = np.linalg.svd(face - middle, compute_uv=False)[-1] if len(face) >= 3 else 0.0
    if balls < low or spread <= FLAT * body.bounding_radius:
        raise InputError("body", body, "has no flat face at its lowest z, body frame", "turn the body so that the patch faces -z")
    return -float(low), face


def _holds_origin(corners: Array) -> bool:
    """Tell whether the hull of points (K, 2) holds the origin: no half-plane through it is free of them."""
    angles = np.sort(np.arctan2(corners[:, 1], corners[:, 0]))
    gaps = np.diff(np.append(angles, angles[0] + 2.0 * np.pi))
    return bool(gaps.max() < np.pi)


def check_pair(scene: Scene, friction: PatchFriction) -> None:
    """Raise an error of ours if the scene's body has no face that the law can belong to."""
    if not isinstance(scene, Scene):
        raise InputError("scene", scene, "is not a Scene")
    if not isinstance(friction, PatchFriction):
        raise InputError("friction", friction, "is not a PatchFriction")
    friction.height(scene.body)
