"""Drawing of the page on one's own pushes."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from planarcontact.figures import drawing


@drawing("ls-own-section")
def own_section(data: dict[str, Any]) -> Figure:
    """True and fitted surface in the plane of force and moment, and the measured pushes."""
    fig, ax = plt.subplots(figsize=(5.6, 3.6))
    columns = {name: np.asarray(values, dtype=float) for name, values in data.items()}
    columns = {name: values[np.isfinite(values)] for name, values in columns.items()}
    ax.plot(columns["push force [N]"], columns["push moment [N m]"], ".", color="#c8501e", label="pushes")
    ax.plot(columns["truth f_x [N]"], columns["truth tau [N m]"], color="#5b5b5b", ls="--", label="truth")
    ax.plot(columns["fitted f_x [N]"], columns["fitted tau [N m]"], color="#0b5fa5", label="fitted to forty pushes")
    ax.set(xlabel="force [N]", ylabel="moment [N m]")
    ax.legend(fontsize=8)
    return fig
