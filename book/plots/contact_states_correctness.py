"""Drawing of the page on correctness: wrong labels over the size of the displacement."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from planarcontact.figures import drawing


@drawing("cs-margin")
def margin(data: dict[str, Any]) -> Figure:
    """Share of wrong labels over the size of the displacement."""
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    for name, style in (("document", "o-"), ("recommended", "s--")):
        ax.plot(data["size [mm]"], data[f"wrong, {name} [%]"], style, ms=4, label=f"{name} options")
    bound = float(data["bound [mm]"][0])
    ax.axvline(bound, color="#5b5b5b", ls="--", lw=1)
    ax.text(bound + 0.02, ax.get_ylim()[1] * 0.85, "bound", color="#5b5b5b")
    ax.set(xlabel="displacement of the corners and of the disk [mm]", ylabel="wrong or ambiguous [%]", xlim=(0, None))
    ax.legend(loc="upper left", bbox_to_anchor=(0.0, 0.75))
    return figure
