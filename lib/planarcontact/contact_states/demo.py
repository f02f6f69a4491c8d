"""The demo: a MuJoCo simulation in which the disk pushes the box along the floor, over the step and along the platform."""

from dataclasses import dataclass, replace
from importlib import resources
from os import PathLike
from struct import error as StructError
from typing import Any
from zipfile import BadZipFile
from zlib import error as ZlibError

import numpy as np
from numpy.typing import NDArray

from planarcontact.errors import DataError, InputError
from planarcontact.files import replacing
from planarcontact.validation import boolean, positive

from .checks import file_path, instance_of, whole_number
from .demo_controller import Controller, ControllerParameters
from .demo_model import CONTROL_PERIOD, SIDE, DemoSettings, demo_model, unbroken
from .demo_stages import Observation

__all__ = ["Demo", "make_demo", "soft_demo", "load_demo", "perturbed_settings"]

FRAME_PERIOD = 0.01
DURATION = 17.2
LONGEST = 3600.0
_FIELDS = ("time", "poses", "force", "stage", "overlap")
# What reading a damaged archive raises: the zip reader, the decompressor and the array reader each have their own.
_UNREADABLE = (OSError, KeyError, ValueError, TypeError, EOFError, RuntimeError, MemoryError, BadZipFile, ZlibError, StructError)
_START = np.array([-0.34, SIDE / 2, 0.0, -0.45, 0.0])
_POSE_NOISE = np.array([2e-5, 2e-5, 2e-4, 2e-5, 2e-5])


@dataclass(frozen=True)
class Demo:
    """A simulated run, one row per frame of 10 ms.

    Attributes:
        time: (N,) [s].
        poses: (N, 5) box x, z [m], theta [rad], disk x, z [m].
        force: (N, 2) motor forces from that frame on [N].
        stage: (N,) index of the controller's stage.
        overlap: (N,) deepest overlap of any two bodies since the frame before [m].
    """

    time: NDArray[np.float64]
    poses: NDArray[np.float64]
    force: NDArray[np.float64]
    stage: NDArray[np.int64]
    overlap: NDArray[np.float64]

    def save(self, path: "str | PathLike[str]") -> None:
        """Write the run as a compressed .npz, the same bytes for the same run.

        Args:
            path: file name, ending in .npz.

        Raises:
            InputError: another ending, or no path.
            DataError: the file cannot be written.
        """
        file = file_path("path", path)
        if file.suffix != ".npz":
            raise InputError("path", str(file), "has another ending than .npz")
        with replacing(file) as partial:
            np.savez_compressed(partial, **{name: getattr(self, name) for name in _FIELDS})


def perturbed_settings(seed: int, settings: DemoSettings = DemoSettings()) -> DemoSettings:
    """Settings with friction changed by up to 10 % and the two masses by up to 5 %.

    Args:
        seed: seed of the random changes.
        settings: the settings to change.

    Returns:
        The changed settings.

    Raises:
        InputError: a seed below 0, or no settings.
    """
    instance_of("settings", settings, DemoSettings)
    friction, box, disk = np.random.default_rng([whole_number("seed", seed, 0), 1]).uniform(-1.0, 1.0, 3)
    return replace(
        settings,
        friction=settings.friction * (1 + 0.1 * friction),
        box_mass=settings.box_mass * (1 + 0.05 * box),
        disk_mass=settings.disk_mass * (1 + 0.05 * disk),
    )


def soft_demo() -> Demo:
    """Simulate the soft variant: contacts that yield by millimetres, and a faster run at the riser.

    Returns:
        The run that ships as the soft one: time constant 40 ms, critical damping, run speed 0.9 m/s.

    Raises:
        UnsupportedError: MuJoCo is not installed.
    """
    return make_demo(DemoSettings(contact_time=0.04, contact_damping=1.0), ControllerParameters(run_speed=0.9))


def make_demo(
    settings: DemoSettings = DemoSettings(),
    parameters: ControllerParameters = ControllerParameters(),
    *,
    seed: int | None = None,
    duration: float = DURATION,
) -> Demo:
    """Simulate the demo.

    Args:
        settings: masses, friction and solver settings.
        parameters: the controller's numbers.
        seed: None for the nominal run; an integer also moves the starts of box and disk by up to 10 mm and adds
            noise to the pose that the controller sees (0.02 mm, 0.2 mrad, one standard deviation).
        duration: length of the run [s].

    Returns:
        The run, with one frame per 10 ms.

    Raises:
        InputError: the duration is not positive or over an hour, a seed below 0, no settings or parameters.
        UnsupportedError: MuJoCo is not installed.
        ConvergenceError: the engine gave the simulation up as unstable.
    """
    instance_of("parameters", parameters, ControllerParameters)
    if positive("duration", duration) > LONGEST:
        raise InputError("duration", duration, f"s is longer than {LONGEST:g} s")
    frames = round(duration / FRAME_PERIOD) + 1
    if seed is not None:
        seed = whole_number("seed", seed, 0)
    model = demo_model(instance_of("settings", settings, DemoSettings))
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[:] = _START
    data.qpos[4] = parameters.push_height
    random = None
    if seed is not None:
        random = np.random.default_rng([seed, 0])
        data.qpos[[0, 3, 4]] += random.uniform(-0.01, 0.01, 3)
    controller = Controller(parameters)
    controls = round(FRAME_PERIOD / CONTROL_PERIOD)
    steps = round(CONTROL_PERIOD / settings.timestep)
    rows: dict[str, list[Any]] = {name: [] for name in _FIELDS}
    deepest = 0.0
    for frame in range(frames):
        unbroken(data)
        rows["time"].append(frame * FRAME_PERIOD)
        rows["poses"].append(data.qpos.copy())
        rows["overlap"].append(deepest)
        deepest = 0.0
        for control in range(controls):
            seen = data.qpos + (_POSE_NOISE * random.standard_normal(5) if random is not None else 0.0)
            data.ctrl[:] = controller(Observation(data.time, seen, data.qvel.copy()))
            if control == 0:
                rows["force"].append(data.ctrl.copy())
                rows["stage"].append(controller.stage)
            for _ in range(steps):
                mujoco.mj_step(model, data)
                if data.ncon:
                    deepest = max(deepest, -float(data.contact.dist.min()))
    return Demo(**{name: np.array(values) for name, values in rows.items()})


def load_demo(path: "str | PathLike[str] | None" = None, *, soft: bool = False) -> Demo:
    """Load a saved run, by default the one that ships with the library.

    Args:
        path: an .npz file that `Demo.save` wrote; None for a shipped one.
        soft: with no path, load the shipped run with soft contacts and a faster impact instead of the demo.

    Returns:
        The run.

    Raises:
        DataError: the file is missing, damaged, or not such a run.
        InputError: the path is not a path.
    """
    source: Any = path
    if boolean("soft", soft) and path is not None:
        raise InputError("soft", soft, "chooses among the shipped runs, and a path is given too")
    if path is None:
        name = "step_demo_soft" if soft else "step_demo"
        source = resources.files("planarcontact") / f"contact_states/data/{name}.npz"
    else:
        source = file_path("path", path)
    try:
        with open(source, "rb") as file, np.load(file, allow_pickle=False) as archive:
            demo = Demo(**{name: archive[name] for name in _FIELDS})
        numbers = all(np.isfinite(getattr(demo, name)).all() for name in _FIELDS)
    except _UNREADABLE as error:
        raise DataError(f"{source}: not a saved demo ({error}); make one with make_demo().save(path)") from error
    frames = demo.time.shape[0] if demo.time.ndim == 1 else -1
    if demo.poses.shape != (frames, 5) or not numbers:
        raise DataError(f"{source}: poses of shape {demo.poses.shape} do not fit {frames} frames, or are not finite")
    return demo
