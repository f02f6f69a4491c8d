"""Write book/contact_states_demo_spread.csv: the demo's labels under every variant, with both sets of options.

    python tools/demo_spread.py        about 5 s of one core per variant
"""

import csv
import math
from pathlib import Path

import joblib
from tqdm import tqdm

from planarcontact.contact_states import RECOMMENDED, Options, recognize, step_scene
from planarcontact.contact_states.demo import make_demo
from planarcontact.contact_states.demo_report import demo_report
from planarcontact.contact_states.demo_spread import LONGEST, DemoVariant, demo_variants

TABLE = Path(__file__).resolve().parents[1] / "book" / "contact_states_demo_spread.csv"
HEAD = (
    "variant", "kind", "chain", "runs", "formations", "invalid", "ties", "chain_recommended", "runs_recommended",
    "invalid_recommended", "ties_recommended", "overlap [mm]", "riser rock [deg]", "landing seesaw [deg]",
)  # fmt: skip


def row(variant: DemoVariant) -> list[object]:
    """One row of the table."""
    demo = make_demo(variant.settings, variant.parameters, seed=variant.seed, duration=LONGEST)
    text, ours = (
        demo_report(demo, recognize(demo.poses, step_scene(), options=options)) for options in (Options(), RECOMMENDED)
    )
    angles = [f"{math.degrees(a):.2f}" for a in (text.riser_rock, text.landing_seesaw)]
    return [
        variant.name, variant.kind, int(text.chain), text.runs, text.formations, text.invalid, text.ties,
        int(ours.chain), ours.runs, ours.invalid, ours.ties, f"{1e3 * text.overlap:.3f}", *angles,
    ]  # fmt: skip


def main() -> None:
    """Run all variants and replace the table."""
    variants = demo_variants()
    work = joblib.Parallel(n_jobs=1, return_as="generator")(joblib.delayed(row)(v) for v in variants)
    rows = list(tqdm(work, total=len(variants), desc="demo variants"))
    partial = TABLE.with_suffix(".partial")
    with open(partial, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([HEAD, *rows])
    partial.replace(TABLE)


if __name__ == "__main__":
    main()
