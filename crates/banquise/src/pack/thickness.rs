//! Laws of the thickness of floes.

use std::f64::consts::TAU;

use banquise_geometry::math;

use crate::random::{Purpose, Stream};

/// Where a normal law is cut, in deviations from the mean: three times in a thousand a value is drawn again.
pub const NORMAL_CUT: f64 = 3.0;

/// Law from which the thickness of each floe is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum ThicknessLaw {
    /// One for all \[m\].
    Constant(f64),
    /// Drawn evenly between two values \[m\].
    Uniform {
        /// Thinnest \[m\].
        from: f64,
        /// Thickest \[m\].
        to: f64,
    },
    /// Drawn from a normal law, cut [`NORMAL_CUT`] deviations from the mean.
    Normal {
        /// Mean \[m\].
        mean: f64,
        /// Standard deviation before the cut \[m\].
        deviation: f64,
    },
    /// Pairs of size and thickness \[m\], sizes growing; between them a straight line, beyond them the
    /// value at the end.
    BySize(Vec<[f64; 2]>),
    /// Pairs of thickness \[m\] and share of the floes that have it; shares need not add up to one.
    Shares(Vec<[f64; 2]>),
}

impl ThicknessLaw {
    /// The thickness \[m\] of the floe of this number and size \[m\].
    pub(crate) fn draw(&self, seed: u64, index: usize, size: f64) -> f64 {
        let stream = Stream::new(seed, Purpose::Thickness);
        let chance = stream.unit(index as u64, 0);
        match self {
            Self::Constant(thickness) => *thickness,
            Self::Uniform { from, to } => from + (to - from) * chance,
            Self::Normal { mean, deviation } => mean + deviation * normal(stream, index as u64),
            Self::BySize(rows) => by_size(rows, size),
            Self::Shares(rows) => by_share(rows, chance),
        }
    }
}

/// A standard normal value within the cut (Box and Muller), drawn until there is one.
fn normal(stream: Stream, id: u64) -> f64 {
    let draw = |k: u64| {
        let [radius, angle] = [2 * k, 2 * k + 1].map(|draw| stream.unit(id, draw));
        (-2.0 * math::ln(1.0 - radius)).sqrt() * math::cos(TAU * angle)
    };
    let mut draws = (0..).map(draw);
    let within = draws.find(|value| value.abs() <= NORMAL_CUT);
    within.expect("draws do not end")
}

fn by_size(rows: &[[f64; 2]], size: f64) -> f64 {
    let next = rows.iter().position(|row| row[0] > size);
    match next {
        Some(0) => rows[0][1],
        Some(k) => {
            let ([x0, y0], [x1, y1]) = (rows[k - 1], rows[k]);
            y0 + (y1 - y0) * (size - x0) / (x1 - x0)
        }
        None => rows[rows.len() - 1][1],
    }
}

fn by_share(rows: &[[f64; 2]], chance: f64) -> f64 {
    let total: f64 = rows.iter().map(|row| row[1]).sum();
    let mut rest = chance * total;
    for row in rows {
        if rest < row[1] {
            return row[0];
        }
        rest -= row[1];
    }
    rows[rows.len() - 1][0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_by_size_is_interpolated_and_held() {
        let law = ThicknessLaw::BySize(vec![[10.0, 0.5], [30.0, 1.5]]);
        let drawn = [5.0, 10.0, 20.0, 30.0, 99.0].map(|size| law.draw(1, 0, size));
        assert_eq!(drawn, [0.5, 0.5, 1.0, 1.5, 1.5]);
    }

    #[test]
    fn a_normal_law_has_its_moments_and_is_cut() {
        let count = 20_000;
        let law = ThicknessLaw::Normal {
            mean: 0.315,
            deviation: 0.022,
        };
        let drawn: Vec<f64> = (0..count).map(|i| law.draw(5, i, 1.0)).collect();
        let scaled = || drawn.iter().map(|h| (h - 0.315) / 0.022);
        let moment = |power: i32| scaled().map(|z| z.powi(power)).sum::<f64>() / count as f64;
        // A normal law cut at three deviations has the variance 0.9733 and the fourth moment 2.680;
        // standard errors are 0.007, 0.009, 0.03 and 0.05.
        assert!(moment(1).abs() < 0.03, "{}", moment(1));
        assert!((moment(2) - 0.9733).abs() < 0.04, "{}", moment(2));
        assert!(moment(3).abs() < 0.1, "{}", moment(3));
        assert!((moment(4) - 2.680).abs() < 0.2, "{}", moment(4));
        let most = scaled().fold(0.0, |most: f64, z| most.max(z.abs()));
        assert!((2.9..=NORMAL_CUT + 1e-9).contains(&most), "{most}");
        // Reproducible, and another floe has another thickness.
        assert_eq!(law.draw(5, 7, 1.0), drawn[7]);
        assert_ne!(drawn[7], drawn[8]);
    }

    #[test]
    fn shares_and_ranges_come_out_in_the_mean() {
        let mean = |law: ThicknessLaw| (0..4000).map(|i| law.draw(3, i, 1.0)).sum::<f64>() / 4000.0;
        // Standard errors are 0.0006 and 0.0055.
        let uniform = mean(ThicknessLaw::Uniform {
            from: 0.25,
            to: 0.38,
        });
        assert!((uniform - 0.315).abs() < 0.003, "{uniform}");
        let shares = mean(ThicknessLaw::Shares(vec![[0.3, 3.0], [1.1, 1.0]]));
        assert!((shares - 0.5).abs() < 0.025, "{shares}");
    }
}
