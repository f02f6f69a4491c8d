"""The result of a simulation."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..files import replacing
from .status import Status

if TYPE_CHECKING:
    from .scene import Scene

__all__ = ["Trajectory"]


@dataclass(frozen=True, eq=False)
class Trajectory:
    """States at N + 1 times and what happened in the N steps between them.

    Row k of a step's array belongs to the step from time[k] to time[k + 1].

    Args:
        time: (N + 1,) times [s].
        position: (N + 1, 3) COM, world [m].
        orientation: (N + 1, 4) unit quaternions w x y z.
        velocity: (N + 1, 6) COM velocity [m/s], then spatial angular velocity [rad/s], world axes.
        ecp: (N, 3) equivalent contact point at the step's end, world [m]; nan while apart.
        impulse: (N, 4) p_n, p_t, p_o [N s] and p_r [N m s] on the body, contact frame, about the ECP.
        residual: (N,) unit-free complementarity residual of each step.
        iterations: (N,) Newton iterations of each step, over all solvers of the cascade.
        status: (N,) `Status` of each step as integers; 0 is converged.
        contact: (N,) `ContactMode` at each step's end as integers.
    """

    time: NDArray[np.float64]
    position: NDArray[np.float64]
    orientation: NDArray[np.float64]
    velocity: NDArray[np.float64]
    ecp: NDArray[np.float64]
    impulse: NDArray[np.float64]
    residual: NDArray[np.float64]
    iterations: NDArray[np.int64]
    status: NDArray[np.int64]
    contact: NDArray[np.int64]

    @property
    def ok(self) -> bool:
        """True if every step converged."""
        return bool((self.status == Status.CONVERGED).all())

    @property
    def failures(self) -> list[str]:
        """One line for every step that did not converge: its number, status and residual."""
        return [
            f"step {k} (t = {self.time[k + 1]:.9g} s): residual {self.residual[k]:.3g}. {Status(self.status[k]).sentence}"
            for k in np.flatnonzero(self.status != Status.CONVERGED)
        ]

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """Return the table of the trajectory: one row per time, unit in each name; a step stands in the row of its end.

        The first row has no step: its step columns are nan, and so is the ECP while the body is apart.
        """
        pad = lambda values: np.concatenate([np.full((1, *np.shape(values)[1:]), np.nan), values])  # noqa: E731
        table = {"t [s]": self.time}
        groups = (
            (self.position, ("q_x [m]", "q_y [m]", "q_z [m]")),
            (self.orientation, ("q_w", "q_i", "q_j", "q_k")),
            (self.velocity, ("v_x [m/s]", "v_y [m/s]", "v_z [m/s]", "w_x [rad/s]", "w_y [rad/s]", "w_z [rad/s]")),
            (pad(self.ecp), ("a_x [m]", "a_y [m]", "a_z [m]")),
            (pad(self.impulse), ("p_n [N s]", "p_t [N s]", "p_o [N s]", "p_r [N m s]")),
        )
        for values, names in groups:
            table |= dict(zip(names, values.T))
        for name in ("residual", "iterations", "status", "contact"):
            table[name] = pad(np.asarray(getattr(self, name), dtype=np.float64))
        return table

    def to_csv(self, path: str | Path) -> None:
        """Write `columns` to a CSV file with 17 significant digits, so that reading it gives the same numbers.

        Raises:
            DataError: the file cannot be written.
        """
        table = self.columns()
        rows = np.stack(list(table.values()), axis=1)
        with replacing(path) as partial, partial.open("w", newline="", encoding="utf-8") as file:
            file.write(",".join(table) + "\n")
            np.savetxt(file, rows, delimiter=",", fmt="%.17g")

    def to_npz(self, path: str | Path) -> None:
        """Write all arrays, under their own names, to a NumPy archive.

        Raises:
            DataError: the file cannot be written.
        """
        with replacing(path) as partial, partial.open("wb") as file:
            np.savez_compressed(file, **{field.name: getattr(self, field.name) for field in fields(self)})

    def to_html(self, path: str | Path, scene: "Scene", *, title: str = "A body on a plane", frames: int = 600) -> None:
        """Write an animation of the trajectory, one HTML file that needs no network: body, plane, what touches, ECP, impulse.

        Args:
            path: the file to write.
            scene: the `Scene` that was simulated, for its body and plane.
            title: the page's title, plain text.
            frames: largest number of frames kept, evenly spread over the steps.

        Raises:
            InputError: the trajectory is not of this scene, or an argument is not usable.
            DataError: the file cannot be written.
        """
        from .animation import write

        write(self, path, scene, title, frames)
