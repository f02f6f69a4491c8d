"""The demo under other seeds, solver settings and contacts: how much of its labels is luck."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .demo import make_demo, perturbed_settings
from .demo_controller import ControllerParameters
from .demo_model import DemoSettings
from .demo_report import DemoReport, demo_report
from .options import Options
from .recognizer import recognize
from .scene import step_scene

__all__ = ["DemoVariant", "demo_variants", "run_variant"]

LONGEST = 25.0


@dataclass(frozen=True, kw_only=True)
class DemoVariant:
    """One variant of the demo: its name, its kind, and what it changes."""

    name: str
    kind: str
    settings: DemoSettings = DemoSettings()
    parameters: ControllerParameters = ControllerParameters()
    seed: int | None = None


def demo_variants(seeds: int = 24) -> tuple[DemoVariant, ...]:
    """List the variants of the spread.

    Args:
        seeds: number of seeded variants (starts, sensor noise, friction and masses changed).

    Returns:
        The nominal run, the seeds, one solver or contact setting changed at a time, and the soft contacts.
    """
    return tuple(_variants(seeds))


def run_variant(variant: DemoVariant, options: Options = Options(), *, duration: float = LONGEST) -> DemoReport:
    """Simulate a variant, label it and report.

    Args:
        variant: the variant.
        options: the recognizer's options.
        duration: length of the run [s]; longer than the demo, because some settings take longer to come to rest.

    Returns:
        The report of its labels.
    """
    demo = make_demo(variant.settings, variant.parameters, seed=variant.seed, duration=duration)
    return demo_report(demo, recognize(demo.poses, step_scene(), options=options))


def _variants(seeds: int) -> Iterator[DemoVariant]:
    yield DemoVariant(name="as shipped", kind="shipped")
    for seed in range(seeds):
        yield DemoVariant(name=f"seed {seed}", kind="seed", settings=perturbed_settings(seed), seed=seed)
    solver: dict[str, dict[str, object]] = {
        "time step 0.125 ms": {"timestep": 0.000125},
        "time step 0.5 ms, contact 3.2 ms": {"timestep": 0.0005, "contact_time": 0.0032},
        "time step 1 ms, contact 6.4 ms": {"timestep": 0.001, "contact_time": 0.0064},
        "time step 2 ms, contact 12.8 ms": {"timestep": 0.002, "contact_time": 0.0128},
        "contact 3.2 ms": {"contact_time": 0.0032},
        "contact 6.4 ms": {"contact_time": 0.0064},
        "damping ratio 0.2": {"contact_damping": 0.2},
        "damping ratio 0.5": {"contact_damping": 0.5},
        "damping ratio 1": {"contact_damping": 1.0},
        "Euler": {"integrator": "Euler"},
        "conjugate gradients": {"solver": "CG"},
        "pyramidal cone": {"cone": "pyramidal"},
        "impratio 1": {"impratio": 1.0},
        "impratio 100": {"impratio": 100.0},
        "friction 0.5": {"friction": 0.5},
        "friction 0.55": {"friction": 0.55},
        "friction 0.65": {"friction": 0.65},
        "disk 0.03 kg": {"disk_mass": 0.03},
        "disk 0.1 kg": {"disk_mass": 0.1},
        "box 0.095 kg": {"box_mass": 0.095},
        "box 0.105 kg": {"box_mass": 0.105},
    }
    for name, changes in solver.items():
        yield DemoVariant(name=name, kind="setting", settings=replace(DemoSettings(), **changes))
    yield DemoVariant(
        name="pushed on across the step corner", kind="controller", parameters=ControllerParameters(platform_travel=0.06)
    )
    for milliseconds in (20, 30, 40, 60):
        soft = DemoSettings(contact_time=1e-3 * milliseconds, contact_damping=1.0)
        yield DemoVariant(name=f"soft, {milliseconds} ms", kind="soft", settings=soft)
        fast = ControllerParameters(run_speed=0.9)
        yield DemoVariant(name=f"soft, {milliseconds} ms, fast run", kind="soft", settings=soft, parameters=fast)
