"""The feedback controller of the demo: its parameters and its chain of stages."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from planarcontact.validation import positive

from .demo_model import SIDE, STEP_HEIGHT
from .demo_stages import Hold, Lean, Observation, Push, Retreat, Run, Stage, Tip, Travel

__all__ = ["ControllerParameters", "Controller"]


@dataclass(frozen=True, kw_only=True)
class ControllerParameters:
    """The controller's fixed numbers, chosen from the lengths, weights and speeds of the scene.

    The run and the tip are as fast as they are because the document's box rocks by up to 2.6 degrees on the riser and
    seesaws after landing: with these numbers the tilt is 2.3 degrees after the impact and
    2.1 after the landing. How far it rocks on a given run depends on the last hop before the impact.

    Args:
        stiffness: position gain of the disk [N/m]; 1 N is reached at an error of 17 mm.
        damping: velocity gain of the disk [N s/m]; critical for its mass.
        rest: time at rest before the disk moves [s].
        push_height: height of the push along the floor [m].
        lean: force with which the disk leans on a face [N]; below the sliding friction of the box.
        press: force with which it presses the box against the riser [N]; above that friction.
        lean_speed: speed of approach to a face [m/s].
        push_speed: speed of the slow pushes [m/s].
        run_distance: distance to the riser at which the slow push becomes a run [m].
        run_speed: speed aimed at in the run [m/s].
        settle: time that the box must be still before the next stage [s].
        tip_coordinate: where the disk tips the box, from the middle of the face [m].
        tip_angle: final reference tilt [rad]; so far beyond the landing that the box is let go on its way.
        tip_time: duration of the reference tilt [s].
        tip_lift: share of the tipping force that drags the face upwards; inside the friction cone.
        tip_stiffness: force per tilt error [N/rad].
        tip_damping: force per tilt rate error [N s/rad].
        tip_carry: height to spare, beyond the balance, at which the disk lets the box go [m].
        travel_speed: mean speed of the disk in the open [m/s].
        platform_travel: how far the last push moves the box on the platform [m].

    Raises:
        InputError: a value that is not positive.
    """

    stiffness: float = 60.0
    damping: float = 3.5
    rest: float = 0.8
    push_height: float = 0.0725
    lean: float = 0.1
    press: float = 0.75
    lean_speed: float = 0.06
    push_speed: float = 0.05
    run_distance: float = 0.1
    run_speed: float = 0.53
    settle: float = 0.4
    tip_coordinate: float = 0.045
    tip_angle: float = 2.0
    tip_time: float = 1.6
    tip_lift: float = 0.3
    tip_stiffness: float = 3.0
    tip_damping: float = 0.3
    tip_carry: float = 0.001
    travel_speed: float = 0.15
    platform_travel: float = 0.03

    def __post_init__(self) -> None:
        for entry in fields(self):
            object.__setattr__(self, entry.name, positive(entry.name, getattr(self, entry.name)))


class Controller:
    """Runs the stages in order; call it with an observation to get the motor forces (2,) [N]."""

    def __init__(self, parameters: ControllerParameters = ControllerParameters()):
        self.parameters = parameters
        self._stages = _stages(parameters)
        self._index = -1

    @property
    def stage(self) -> int:
        """Index of the stage that runs now; -1 before the first call."""
        return self._index

    def __call__(self, now: Observation) -> NDArray[np.float64]:
        reference = self._stages[self._index].reference(now) if self._index >= 0 else None
        while reference is None:
            self._index += 1
            self._stages[self._index].begin(now)
            reference = self._stages[self._index].reference(now)
        p = self.parameters
        force = p.stiffness * (reference.position - now.disk) + p.damping * (reference.velocity - now.velocity[3:])
        force = force + reference.force
        return force / max(1.0, float(np.abs(force).max()))


def _stages(p: ControllerParameters) -> list[Stage]:
    on_floor = p.push_height - SIDE / 2
    on_platform = STEP_HEIGHT / 2
    return [
        Hold(p.rest),
        Lean("-x", on_floor, p.lean_speed, p.lean, p.settle),
        Push(p.push_speed, lambda start, now: now.distance_to_riser < p.run_distance),
        Run(p.run_speed),
        Lean("-x", on_floor, p.lean_speed, p.lean, p.settle),
        Lean("-x", on_floor, p.lean_speed, p.press, p.settle),
        Lean("-x", p.tip_coordinate, p.lean_speed, p.lean, p.settle),
        Tip(p.tip_angle, p.tip_time, p.tip_lift, p.tip_stiffness, p.tip_damping, p.tip_carry),
        Retreat("-x", 0.06, 0.1, p.settle),
        Travel((-1.3 * SIDE, 0.6 * SIDE), p.travel_speed),
        Travel((-1.0 * SIDE, -on_platform), p.travel_speed),
        Lean("-z", on_platform, p.lean_speed, p.lean, p.settle),
        Push(p.push_speed, lambda start, now: now.pose[0] - start.pose[0] > p.platform_travel),
        Lean("-z", on_platform, p.lean_speed, p.lean, p.settle),
        Retreat("-z", 0.05, 0.05, p.settle),
        Hold(np.inf),
    ]
