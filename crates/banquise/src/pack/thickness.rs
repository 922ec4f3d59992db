//! How thick the floes of a pack are.

use super::random::{Purpose, Stream};

/// The thickness of each floe.
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
    /// Pairs of size and thickness \[m\], sizes growing; between them a straight line, beyond them the
    /// value at the end.
    BySize(Vec<[f64; 2]>),
    /// Pairs of thickness \[m\] and share of the floes that have it; shares need not add up to one.
    Shares(Vec<[f64; 2]>),
}

impl ThicknessLaw {
    /// The thickness \[m\] of the floe of this number and size \[m\].
    pub(super) fn draw(&self, seed: u64, index: usize, size: f64) -> f64 {
        let chance = Stream::new(seed, Purpose::Thickness).unit(index as u64, 0);
        match self {
            Self::Constant(thickness) => *thickness,
            Self::Uniform { from, to } => from + (to - from) * chance,
            Self::BySize(rows) => by_size(rows, size),
            Self::Shares(rows) => by_share(rows, chance),
        }
    }
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
