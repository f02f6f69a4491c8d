"""Rate and accuracy of free slides on fitted level sets; writes results/limit_surface_sliding.json.

What bounds it: a slide of 50 steps takes 200 loads from twists, each by Newton's method from the load before. Where friction
turns abruptly, as where the centre of rotation crosses one of few supports, the steps are halved and there are far more.
"""

import time

from _record import machine, write  # first: it sets the number of threads
import numpy as np
from limit_surface_fit import data
from planarcontact.limit_surface import Weights, fit, slide, slide_many


def main(models: int = 8, bodies: int = 1000, seed: int = 20261130) -> None:
    """Slide `bodies` on each of `models` fits, in processor time; compare a tenth of them with eight times the steps."""
    rng = np.random.default_rng(seed)
    rates, single, turn = [], [], []
    for k in range(models):
        model = fit(*data(k, [15, 22, 45, 45][k % 4], 0.1 * (k % 8 > 3)), kind="poly4-cvx", weights=Weights())
        twists = rng.normal(size=(bodies, 3))
        slide_many(model, 1.0, 0.5, twists[:10])
        start = time.process_time()
        _, poses, _ = slide_many(model, 1.0, 0.5, twists)
        rates.append(bodies / (time.process_time() - start))
        start = time.process_time()
        for row in twists[:20]:
            slide(model, 1.0, 0.5, row, steps=50)
        single.append(20 / (time.process_time() - start))
        _, fine, _ = slide_many(model, 1.0, 0.5, twists[: bodies // 10], steps=400)
        turn.append(np.abs(poses[: bodies // 10] - fine)[:, 2])
    content = {
        "machine": machine(),
        "models": models,
        "slides": models * bodies,
        "per_second_median": float(np.median(rates)),
        "per_second_least": float(np.min(rates)),
        "one_at_a_time_per_second_median": float(np.median(single)),
        "turn_against_400_steps_median_rad": float(np.median(turn)),
        "turn_against_400_steps_p99_rad": float(np.percentile(turn, 99)),
    }
    write("limit_surface_sliding", content)


if __name__ == "__main__":
    main()
