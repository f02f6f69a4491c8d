"""Whether one step has a lawful root: branch and bound over everything that its end can be, in plain NumPy.

A root of a step is fixed by g = h omega+ / 2 and the contact's place a: the turn gives the pose, the height of the lowest
generator the normal impulse, and the balance of momentum the friction impulse. So a step has no lawful root if every box
of these five numbers breaks a law: the friction impulse must lie in its cone, the normal impulse must not pull, a body
without impulse must keep its momentum, and the contact's work must not exceed a share of the energy at hand. Over a box,
every quantity is enclosed by its value at the centre and a bound on its change: the body turns by at most 2 |dg|. A box
that breaks no law for certain is halved. Energy bounds omega+, so the first box holds every lawful root.
"""

from dataclasses import dataclass

import numpy as np
from step_audit import rotation

SLACK = 1e-9  # rounding of all that is computed here, relative


@dataclass
class Boxes:
    """Centres and half widths (n, 5): g along the principal axes of inertia [-], then the contact's place along t, o [m]."""

    centre: np.ndarray
    half: np.ndarray


class StepScan:
    """The laws of one step (momentum form) from the state in row k of a trajectory."""

    def __init__(self, scene, run, k, share=0.2):
        body, self.h, self.m = scene.body, scene.step, scene.body.mass
        self.share = share
        self.n, self.t, self.o = scene.support.frame
        turn = rotation(run.orientation[k])
        self.inertia = turn @ body.inertia @ turn.T
        self.moments, self.axes = np.linalg.eigh(self.inertia)
        load = scene.loads()[k]
        self.free = run.velocity[k, :3] + self.h * (load[:3] / self.m - [0, 0, scene.gravity])
        self.momentum = self.inertia @ run.velocity[k, 3:] + self.h * load[3:]
        self.level = scene.support.offset - self.n @ run.position[k]
        self.mu, self.e = scene.friction.mu, scene.friction.axes
        points = [*body.vertices, *(s.centre for s in body.spheres), *(d.centre for d in body.discs)]
        count = len(points) - len(body.discs)
        self.points = np.array(points) @ turn.T
        self.balls = np.array([0.0] * len(body.vertices) + [s.radius for s in body.spheres] + [0.0] * len(body.discs))
        self.rims = np.array([0.0] * count + [d.radius for d in body.discs])
        self.normals = np.array([self.n] * count + [turn @ d.axis for d in body.discs])
        self.reach = np.linalg.norm(self.points, axis=1) + self.rims
        self.radius = body.bounding_radius
        energy = 0.5 * self.m * self.free @ self.free + 0.5 * self.momentum @ self.momentum / self.moments[0]
        self.widest = 0.5 * self.h * np.sqrt(2.0 * (1.0 + share) * energy / self.moments) * (1.0 + SLACK)

    def start(self):
        place = np.full(2, self.radius)
        return Boxes(np.zeros((1, 5)), np.concatenate([self.widest, place])[None])

    def enclose(self, boxes):
        """Generators' places along t, o and heights over the COM's, for every box, with bounds on their change."""
        g = boxes.centre[:, :3] @ self.axes.T
        size = np.linalg.norm(boxes.half[:, :3], axis=1)
        angle = 2.0 * size / np.sqrt(1.0 + np.maximum(np.linalg.norm(g, axis=1) - size, 0.0) ** 2)
        scale = 2.0 / (1.0 + (g**2).sum(axis=1))[:, None]
        spin = lambda x: x + scale * (np.cross(g, x) + np.cross(g, np.cross(g, x)))  # noqa: E731
        height, place, loose = [], [], []
        for x, ball, rim, axis in zip(self.points, self.balls, self.rims, self.normals):
            at, wide = spin(np.broadcast_to(x, g.shape)), angle * np.linalg.norm(x)
            if rim > 0.0:
                steep = self.n - (spin(np.broadcast_to(axis, g.shape)) @ self.n)[:, None] * spin(np.broadcast_to(axis, g.shape))
                slope = np.linalg.norm(steep, axis=1)
                at = at - rim * steep / np.maximum(slope, 1e-300)[:, None]
                wide = wide + rim * np.minimum(2.0, 4.0 * angle / np.maximum(slope - 2.0 * angle, 1e-300))
            height.append(at @ self.n - ball)
            place.append(np.stack([at @ self.t, at @ self.o], axis=1))
            loose.append(wide)
        return g, angle, spin, np.stack(height, axis=1), np.stack(place, axis=1), np.stack(loose, axis=1)

    def undecided(self, boxes):
        """Drop boxes that surely hold no lawful root; shrink the contact's place in the others to what can touch."""
        g, angle, spin, height, place, loose = self.enclose(boxes)
        rise = angle[:, None] * self.reach
        top = (height + rise).min(axis=1)
        bottom = (height - rise).min(axis=1)
        touching = height - rise <= top[:, None]
        far = np.where(touching, loose, 0.0)[:, :, None]
        inner = np.where(touching[:, :, None], place, np.inf)
        outer = np.where(touching[:, :, None], place, -np.inf)
        low = np.maximum((inner - far).min(axis=1), boxes.centre[:, 3:] - boxes.half[:, 3:])
        high = np.minimum((outer + far).max(axis=1), boxes.centre[:, 3:] + boxes.half[:, 3:])
        keep = (low <= high).all(axis=1)
        for direction in np.linspace(0.0, np.pi, 8, endpoint=False)[1:]:  # the place lies in the hull of what can touch
            d = np.array([np.cos(direction), np.sin(direction)])
            along, spread = place @ d, np.where(touching, loose, 0.0)
            mid, reach = (0.5 * (low + high)) @ d, (0.5 * (high - low)) @ np.abs(d)
            keep &= mid + reach >= np.where(touching, along - spread, np.inf).min(axis=1)
            keep &= mid - reach <= np.where(touching, along + spread, -np.inf).max(axis=1)
        a, off = 0.5 * (low + high), np.linalg.norm(0.5 * (high - low), axis=1)
        boxes = Boxes(np.concatenate([boxes.centre[:, :3], a], axis=1), np.concatenate([boxes.half[:, :3], 0.5 * (high - low)], axis=1))
        # The normal impulse, from the height of the lowest generator.
        rate_low, rate_high = (self.level - top) / self.h, (self.level - bottom) / self.h
        p_low = self.m * (rate_low - self.n @ self.free) - SLACK
        p_high = self.m * (rate_high - self.n @ self.free) + SLACK
        # The moment that the contact must give.
        omega, wide = 2.0 * g / self.h, 2.0 * np.linalg.norm(boxes.half[:, :3], axis=1) / self.h
        given = omega @ self.inertia
        bent = np.linalg.norm(boxes.half[:, :3] * self.moments, axis=1) * 2.0 / self.h
        moment = spin(given) - self.momentum
        vague = angle * (np.linalg.norm(given, axis=1) + bent) + bent
        apart = p_low <= 0.0
        apart &= np.linalg.norm(moment, axis=1) <= vague * (1.0 + SLACK) + SLACK
        pushes = p_high >= 0.0
        p_low = np.maximum(p_low, 0.0)
        p, dp = 0.5 * (p_low + p_high), 0.5 * (p_high - p_low)
        limit = self.mu * p_high
        # Friction: c P_t = p_n a_t - n x moment and p_r = n.(moment - a x P_t), where the lowest point is c below the COM.
        c, dc = 0.5 * (bottom + top), 0.5 * (top - bottom)
        least = np.maximum(np.abs(c) - dc, 1e-9 * self.radius)
        most = np.linalg.norm(a, axis=1) + off
        ahead = np.stack([moment @ -self.o, moment @ self.t], axis=1)  # n x moment along t, o
        pull = (p[:, None] * a - ahead) / c[:, None]
        d_pull = (dp * np.linalg.norm(a, axis=1) + p_high * off + vague + np.linalg.norm(pull, axis=1) * dc) / least
        twist = moment @ self.n - (a[:, 0] * pull[:, 1] - a[:, 1] * pull[:, 0])
        d_twist = vague + most * d_pull + off * np.linalg.norm(pull, axis=1)
        used = np.linalg.norm(np.column_stack([pull, twist]) / self.e, axis=1)
        pushes &= used <= (limit + d_pull / self.e[:2].min() + d_twist / self.e[2]) * (1.0 + SLACK) + SLACK
        # Slip at the contact; the work of friction is -mu p_n |E slip|, and the contact's is p_n v_n more.
        drag = np.stack([self.free @ self.t + omega @ self.o * c, self.free @ self.o - omega @ self.t * c], axis=1)
        turn = (omega @ self.n)[:, None] * np.stack([-a[:, 1], a[:, 0]], axis=1)
        slip = np.column_stack([drag + turn + pull / self.m, omega @ self.n])
        speed = np.linalg.norm(omega, axis=1)
        d_slip = d_pull / self.m + wide * (np.abs(c) + dc + most) + speed * (dc + off)
        push, slid = np.linalg.norm(pull, axis=1), np.linalg.norm(slip[:, :2], axis=1)
        friction = (pull * slip[:, :2]).sum(axis=1) + twist * slip[:, 2]
        d_friction = d_pull * slid + (push + d_pull) * d_slip + d_twist * np.abs(slip[:, 2]) + (np.abs(twist) + d_twist) * wide
        fast, d_fast = np.linalg.norm(self.e * slip, axis=1), self.e[:2].max() * d_slip + self.e[2] * wide
        bound = self.mu * p_low * np.maximum(fast - d_fast, 0.0)
        pushes &= friction + bound <= d_friction * (1.0 + SLACK) + SLACK
        lifted = (np.stack([omega @ -self.o, omega @ self.t], axis=1) * a).sum(axis=1)  # n.(omega x a)
        v_low = rate_low + lifted - wide * most - speed * off
        work = np.where(v_low > 0.0, p_low * v_low, p_high * v_low)
        work = work + np.maximum(friction - d_friction, -limit * (fast + d_fast))
        # The energy at hand, with the momentum turned back by the step's turn.
        back = 2.0 * (g * (g @ self.momentum)[:, None])
        scale = 1.0 / (1.0 + (g**2).sum(axis=1))[:, None]
        back = scale * ((1.0 - (g**2).sum(axis=1))[:, None] * self.momentum + back - 2.0 * np.cross(g, self.momentum))
        slow = np.linalg.solve(self.inertia, back.T).T
        change = angle * np.linalg.norm(self.momentum)
        energy = 0.5 * self.m * self.free @ self.free + 0.5 * (back * slow).sum(axis=1)
        energy = energy + change * np.linalg.norm(slow, axis=1) + 0.5 * change**2 / self.moments[0]
        pushes &= work <= self.share * energy * (1.0 + SLACK) + SLACK
        keep &= apart | pushes
        return Boxes(boxes.centre[keep], boxes.half[keep])

    def halve(self, boxes):
        size = boxes.half * ([8.0 * self.radius] * 3 + [1.0, 1.0])  # g decides the place where one generator touches
        row, axis = np.arange(len(size)), size.argmax(axis=1)
        half = boxes.half.copy()
        half[row, axis] *= 0.5
        shift = np.zeros_like(half)
        shift[row, axis] = half[row, axis]
        return Boxes(np.concatenate([boxes.centre - shift, boxes.centre + shift]), np.concatenate([half, half]))


def lawful_boxes(scene, run, k, *, rounds=60, most=400_000, share=0.2):
    """Return (boxes left, boxes looked at): none left proves that the step has no lawful root."""
    scan = StepScan(scene, run, k, share)
    boxes, seen = scan.start(), 0
    for _ in range(rounds):
        seen += len(boxes.half)
        boxes = scan.undecided(boxes)
        if len(boxes.half) == 0 or len(boxes.half) > most:
            break
        boxes = scan.halve(boxes)
    return len(boxes.half), seen
