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
