"""Drawings of the notation page."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import Columns, drawing

COLOURS = {"n": "#0b5fa5", "t": "#c8501e", "o": "#2a7f4f"}


@drawing("not-contact-frame")
def contact_frame(data: Columns) -> Figure:
    """The frame n, t, o on a slope, seen along -y."""
    figure, axes = plt.subplots(figsize=(6.0, 3.0))
    n = np.array([data["n_x [-]"], data["n_z [-]"]])
    t = np.array([data["t_x [-]"], data["t_z [-]"]])
    for column, tilt in enumerate(data["slope [deg]"]):
        origin = np.array([2.6 * column, 0.0])
        along = np.stack([origin - 0.9 * t[:, column], origin + 1.1 * t[:, column]])
        axes.plot(along[:, 0], along[:, 1], color="#444444", lw=2.0)
        for name, vector in (("n", n[:, column]), ("t", t[:, column])):
            axes.annotate("", origin + 0.8 * vector, origin, arrowprops={"arrowstyle": "->", "color": COLOURS[name], "lw": 2})
            axes.annotate(name, origin + 0.92 * vector, color=COLOURS[name], fontsize=12, ha="center", va="center")
        axes.plot(*origin, marker="o", ms=9, mfc="white", mec=COLOURS["o"], mew=1.6)
        axes.plot(*origin, marker="x", ms=5, color=COLOURS["o"], mew=1.6)
        axes.annotate("o", origin + [-0.2, -0.22], color=COLOURS["o"], fontsize=12, ha="center", va="center")
        axes.annotate(f"slope {tilt:.0f}°", origin + [0.0, -0.85], ha="center")
    axes.set(xlabel="world x [m]", ylabel="world z [m]", aspect="equal", xlim=(-1.3, 2.6 * column + 1.4), ylim=(-1.1, 1.2))
    return figure


@drawing("not-friction-ellipse")
def friction_ellipse(data: Columns) -> Figure:
    """Sections of the friction ellipsoid through p_r = 0 and p_o = 0, for the desk at rest."""
    figure, axes = plt.subplots(figsize=(6.0, 3.2))
    axes.plot(data["p_t [N s]"], data["p_o [N s]"], label="$p_r = 0$: $p_o$")
    axes.plot(data["p_t [N s]"], data["p_r / e_r0 [N s]"], "--", label="$p_o = 0$: $p_r$ per metre of $e_r$")
    axes.set(xlabel="$p_t$ [N s]", ylabel="$p_o$, $p_r / (1\\,\\mathrm{m})$ [N s]", aspect="equal")
    axes.legend(loc="center")
    return figure
