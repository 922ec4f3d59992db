//! One contact in closed form, by enumeration of its six states. The first consistent state is taken; without one, the state
//! with the least residual.

/// Impulse (normal, tangential) of one contact with operator W, free velocity b, friction μ and
/// prior normal impulse c.
pub(crate) fn solve_single(
    w: [[f64; 2]; 2],
    b: [f64; 2],
    friction: f64,
    prior_normal_impulse: f64,
) -> [f64; 2] {
    let [[nn, nt], [tn, tt]] = w;
    if prior_normal_impulse == 0.0 && b[0] >= 0.0 {
        return [0.0, 0.0];
    }
    let determinant = nn * tt - nt * tn;
    let stick = [
        (nt * b[1] - tt * b[0]) / determinant,
        (tn * b[0] - nn * b[1]) / determinant,
    ];
    if stick[0] >= 0.0 && stick[1].abs() <= friction * (stick[0] + prior_normal_impulse) {
        return stick;
    }
    // Most contacts that do not stick slide against the sticking impulse.
    let share = friction.copysign(stick[1]);
    let slide = |share: f64| {
        let normal = -(b[0] + nt * share * prior_normal_impulse) / (nn + share * nt);
        [normal, share * (normal + prior_normal_impulse)]
    };
    let [normal, tangent] = slide(share);
    let slip = b[1] + tn * normal + tt * tangent;
    if stick[0] >= 0.0 && normal >= 0.0 && slip * share <= 0.0 {
        return [normal, tangent];
    }
    let mut best = [0.0, 0.0];
    let mut least = f64::INFINITY;
    let mut offer = |candidate: [f64; 2]| {
        let error = residual(w, b, friction, prior_normal_impulse, candidate);
        if error < least {
            (best, least) = (candidate, error);
        }
    };
    for share in [-friction, friction] {
        offer([0.0, share * prior_normal_impulse]);
        offer(slide(share));
    }
    offer([0.0, -b[1] / tt]);
    offer(stick);
    best
}

/// The natural map of one contact, as in [`crate::residual`], in units of the contact.
fn residual(
    w: [[f64; 2]; 2],
    b: [f64; 2],
    friction: f64,
    prior_normal_impulse: f64,
    p: [f64; 2],
) -> f64 {
    let normal_velocity = b[0] + w[0][0] * p[0] + w[0][1] * p[1];
    let tangent_velocity = b[1] + w[1][0] * p[0] + w[1][1] * p[1];
    let bound = (friction * (p[0] + prior_normal_impulse)).max(0.0);
    let nearest = (p[1] - tangent_velocity).max(-bound).min(bound);
    let error = normal_velocity.min(p[0]).abs().max((p[1] - nearest).abs());
    if error.is_nan() { f64::INFINITY } else { error }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 3.0]];

    #[test]
    fn the_four_ends_of_an_impact() {
        // Separating; sticking; sliding either way.
        assert_eq!(solve_single(ROUND, [1.0, 5.0], 0.5, 0.0), [0.0, 0.0]);
        let [normal, tangent] = solve_single(ROUND, [-1.0, 0.3], 0.5, 0.0);
        assert!((normal - 1.0).abs() < 1e-15 && (tangent + 0.1).abs() < 1e-15);
        assert_eq!(solve_single(ROUND, [-1.0, 6.0], 0.5, 0.0), [1.0, -0.5]);
        assert_eq!(solve_single(ROUND, [-1.0, -6.0], 0.5, 0.0), [1.0, 0.5]);
    }

    #[test]
    fn a_carried_impulse_widens_the_cone() {
        assert_eq!(solve_single(ROUND, [1.0, 6.0], 0.5, 2.0), [0.0, -1.0]);
    }
}
