"""Drawing of the page on the one contact point."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import Columns, drawing

from .dynamics import HULL, POINT


@drawing("dyn-point-splits")
def splits(data: Columns) -> Figure:
    """A body's feet and ECP from above, what each foot may carry, and the widest such range of every body."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.6, 3.3))
    x, y = data["foot x [m]"], data["foot y [m]"]
    hull = np.stack([data["hull x [m]"], data["hull y [m]"]], axis=1)
    left.plot(*np.vstack([hull, hull[:1]]).T, color=HULL, lw=1.4, ls="--")
    left.plot(x, y, "o", color="#0b5fa5", ms=6)
    for k in range(len(x)):
        left.annotate(f"{k + 1}", (x[k], y[k]), xytext=(5, 4), textcoords="offset points", fontsize=8)
    left.plot(data["ecp x [m]"], data["ecp y [m]"], "x", color=POINT, ms=9, mew=2)
    left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    left.margins(0.15)
    low, high = data["least share [1]"], data["largest share [1]"]
    middle.bar(np.arange(1, len(low) + 1), high - low, bottom=low, color="#9db9d6", ec="#0b5fa5")
    middle.set(xlabel="foot", ylabel="share of the load it may carry [1]", ylim=(0, 1), xticks=np.arange(1, len(low) + 1))
    widest = data["widest range [1]"]
    right.plot(np.arange(1, len(widest) + 1), widest, ".", color="#0b5fa5")
    right.set(xlabel="resting bodies, in order", ylabel="widest range of any foot's share [1]", ylim=(0, 1))
    return figure


@drawing("dyn-point-rod")
def leaning_rod(data: Columns) -> Figure:
    """The leaning rod, and its tip's acceleration off the floor against the normal force, with what the law of contact allows."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.6), width_ratios=(1, 2.2))
    x, z = data["rod x [m]"], data["rod z [m]"]
    left.axhline(0.0, color="#444444", lw=1.5)
    left.plot(x, z, color="#0b5fa5", lw=2.5)
    left.add_patch(plt.Circle((x.mean(), z.mean()), data["ball radius [m]"][0], color="#0b5fa5"))
    left.annotate("", (-0.32, 0.04), (0.0, 0.04), arrowprops={"arrowstyle": "->", "color": POINT, "lw": 1.6})
    left.annotate("slip", (-0.3, 0.08), color=POINT, fontsize=9)
    left.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", xlim=(-0.4, 0.4), ylim=(-0.08, 1.08))
    force = data["force [N]"]
    right.plot([0, 0, force[-1]], [30, 0, 0], color="#9db9d6", lw=6, solid_joinstyle="miter", label="allowed by the law of contact")
    for name, style in zip([k for k in data if k.startswith("acceleration")], ("-", "--")):
        lift = data[name]
        right.plot(force, lift, style, color=HULL, lw=1.6, label=f"the rod, spinning {name.split(' at ')[1].split(' [')[0]}")
        if lift[0] > 0.0:
            right.plot([0.0, np.interp(0.0, -lift, force)], [lift[0], 0.0], "o", color=POINT, ms=7, label="motions")
    right.set(xlabel="normal force [N]", ylabel="tip's acceleration upwards [m/s²]", xlim=(-0.6, force[-1]), ylim=(-42, 30))
    right.legend(fontsize=8, loc="lower left")
    return figure
