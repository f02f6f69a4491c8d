"""Rate, in processor time, and accuracy of load from twist over many fitted models; writes results/limit_surface_inverse.json."""

import time

from _record import machine, write  # first: it sets the number of threads
import numpy as np
from limit_surface_fit import data
from planarcontact.limit_surface import InversionStatus, Weights, fit


def main(models: int = 100, rows: int = 10_000, seed: int = 20261130) -> None:
    rng = np.random.default_rng(seed)
    rates, worst, searched, failed = [], 0.0, 0, 0
    for k in range(models):
        model = fit(*data(k, [7, 15, 22, 45][k % 4], 0.1 * (k % 8 > 3)), kind="poly4-cvx", weights=Weights(ridge=[0.0, 0.1][k % 2]))
        twists = rng.normal(size=(rows, 3))
        model.invert(twists[:10])
        start = time.process_time()
        result = model.invert(twists)
        rates.append(rows / (time.process_time() - start))
        worst = max(worst, float(np.degrees(np.max(result.residual))))
        searched += int(np.sum(result.status == InversionStatus.SEARCHED))
        failed += int(np.sum(result.status == InversionStatus.CAPPED))
    content = {
        "machine": machine(),
        "models": models,
        "twists": models * rows,
        "per_second_median": float(np.median(rates)),
        "per_second_p5": float(np.percentile(rates, 5)),
        "worst_angle_deg": worst,
        "by_line_search": searched,
        "failed": failed,
    }
    write("limit_surface_inverse", content)


if __name__ == "__main__":
    main()
