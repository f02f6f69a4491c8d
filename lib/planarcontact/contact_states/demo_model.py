"""The MuJoCo model of the step scene and the settings that the demo may vary."""

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from planarcontact.errors import ConvergenceError, InputError, UnsupportedError
from planarcontact.validation import one_of, positive

if TYPE_CHECKING:
    import mujoco

__all__ = ["DemoSettings", "demo_model", "unbroken"]

SIDE = 0.125
STEP_HEIGHT = SIDE / 4
DISK_RADIUS = SIDE / 8
GRAVITY = 9.8
BOX_WEIGHT = 0.98
CONTROL_PERIOD = 0.002
MOST_STEPS = 10**4  # of the engine in a period: 0.2 us

_INTEGRATORS = {"Euler": 0, "implicitfast": 3}
_CONES = {"pyramidal": 0, "elliptic": 1}
_SOLVERS = {"CG": 1, "Newton": 2}


@dataclass(frozen=True, kw_only=True)
class DemoSettings:
    """What the simulation takes as given, apart from the scene's lengths.

    The document fixes the box's weight (0.98 N) and the motors' range (1 N each); the rest is ours, for these reasons.
    Box and environment are hard: the contact's natural period of 3 ms is resolved by twelve time steps and keeps the
    overlaps near 0.1 mm; a damping ratio of 0.3 gives a single point a restitution of about 0.4, as wood has, so that
    the box rocks after an impact instead of sticking. The disk is a dead, stiff finger: critically
    damped, with the shortest time constant that MuJoCo holds (two time steps); it carries its own weight and has half
    the box's mass. Friction 0.6 is that of dry wood. The solver is run to its floor (tolerance 1e-12).

    Args:
        timestep: integration step [s]; 2 ms, the controller's period, must be a multiple of it.
        contact_time: time constant of the contacts between box and environment [s]; at least twice the time step.
        contact_damping: damping ratio of those contacts; 1 is critical.
        friction: friction coefficient of every contact.
        box_mass: mass of the box [kg].
        disk_mass: mass of the disk [kg].
        integrator: "implicitfast" or "Euler".
        cone: friction cone, "elliptic" or "pyramidal".
        solver: constraint solver, "Newton" or "CG".
        impratio: ratio of frictional to normal impedance; larger values creep less.

    Raises:
        InputError: a value is out of its range.
    """

    timestep: float = 0.00025
    contact_time: float = 0.0016
    contact_damping: float = 0.3
    friction: float = 0.6
    box_mass: float = 0.1
    disk_mass: float = 0.05
    integrator: str = "implicitfast"
    cone: str = "elliptic"
    solver: str = "Newton"
    impratio: float = 10.0

    def __post_init__(self) -> None:
        for name in (
            "timestep",
            "contact_time",
            "contact_damping",
            "friction",
            "box_mass",
            "disk_mass",
            "impratio",
        ):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        one_of("integrator", self.integrator, tuple(_INTEGRATORS))
        one_of("cone", self.cone, tuple(_CONES))
        one_of("solver", self.solver, tuple(_SOLVERS))
        ratio = CONTROL_PERIOD / self.timestep
        if ratio > MOST_STEPS:
            raise InputError("timestep", self.timestep, f"asks for more than {MOST_STEPS} steps in the controller's period of 2 ms")
        if ratio < 1 or abs(ratio - round(ratio)) > 1e-9:
            raise InputError("timestep", self.timestep, "does not divide the controller's period of 2 ms")
        if self.contact_time < 2 * self.timestep * (1 - 1e-9):
            raise InputError("contact_time", self.contact_time, "is below twice the time step, which MuJoCo cannot hold")


def demo_model(settings: DemoSettings = DemoSettings()) -> "mujoco.MjModel":
    """Build the MuJoCo model of the step scene.

    Args:
        settings: masses, friction and solver settings.

    Returns:
        A `mujoco.MjModel` with qpos (box x, z, theta, disk x, z) in [m, m, rad, m, m] and two motors in [N].

    Raises:
        UnsupportedError: MuJoCo is not installed.
    """
    try:
        import mujoco
    except ImportError as error:
        raise UnsupportedError("the demo needs MuJoCo: pip install 'planarcontact[mujoco]'") from error
    text = (resources.files("planarcontact") / "contact_states/data/step_demo.xml").read_text("utf-8")
    spec = mujoco.MjSpec.from_string(text)
    spec.option.timestep = settings.timestep
    spec.option.integrator = _INTEGRATORS[settings.integrator]
    spec.option.cone = _CONES[settings.cone]
    spec.option.solver = _SOLVERS[settings.solver]
    spec.option.impratio = settings.impratio
    for geom in spec.geoms:
        geom.friction[0] = settings.friction
        geom.solref[:] = settings.contact_time, settings.contact_damping
    spec.geom("disk").priority = 1
    spec.geom("disk").solref[:] = 2 * settings.timestep, 1.0
    spec.geom("box").mass = settings.box_mass
    spec.geom("disk").mass = settings.disk_mass
    try:
        return spec.compile()
    except ValueError as error:
        raise InputError("settings", settings, f"are none that MuJoCo takes ({' '.join(str(error).split())})") from error


def unbroken(data: "mujoco.MjData") -> None:
    """Raise `ConvergenceError` if the engine lost the state and, as it does then, began again from the start."""
    import mujoco

    lost = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
    if any(data.warning[kind].number for kind in lost):
        raise ConvergenceError("MuJoCo gave the simulation up as unstable: check masses, gains and time steps")
