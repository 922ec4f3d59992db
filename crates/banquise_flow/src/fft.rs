//! Fast Fourier transforms of several sequences at once, by Stockham's algorithm with radices 4, 2, 3 and any other prime.
//!
//! An element is a [`Lane`]: the same place of [`LANES`] complex sequences. All operations act on whole lanes, so that the
//! compiler can use vector instructions, and no bit depends on which: additions and multiplications in a fixed order.

use banquise_geometry::math;

/// Number of complex sequences that are transformed together: one cache line of real parts fits twice, and 1,024 elements stay in
/// the second-level cache.
pub(crate) const LANES: usize = 4;

/// One element of [`LANES`] complex sequences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lane {
    pub(crate) re: [f64; LANES],
    pub(crate) im: [f64; LANES],
}

impl Lane {
    pub(crate) const ZERO: Self = Self {
        re: [0.0; LANES],
        im: [0.0; LANES],
    };

    #[inline]
    fn zip(self, other: Self, re: impl Fn(f64, f64) -> f64, im: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = Self::ZERO;
        for l in 0..LANES {
            out.re[l] = re(self.re[l], other.re[l]);
            out.im[l] = im(self.im[l], other.im[l]);
        }
        out
    }

    #[inline]
    pub(crate) fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b, |a, b| a + b)
    }

    #[inline]
    pub(crate) fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b, |a, b| a - b)
    }

    /// Product with one complex number.
    #[inline]
    fn times(self, [c, s]: [f64; 2]) -> Self {
        let mut out = Self::ZERO;
        for l in 0..LANES {
            out.re[l] = self.re[l] * c - self.im[l] * s;
            out.im[l] = self.re[l] * s + self.im[l] * c;
        }
        out
    }

    /// Product with one real number.
    #[inline]
    pub(crate) fn scaled(self, factor: f64) -> Self {
        self.zip(self, |a, _| a * factor, |a, _| a * factor)
    }

    /// Product with −i.
    #[inline]
    fn turned(self) -> Self {
        Self {
            re: self.im,
            im: self.re.map(|value| -value),
        }
    }

    /// Real and imaginary parts exchanged: a transform between two exchanges is the inverse transform.
    #[inline]
    pub(crate) fn swapped(self) -> Self {
        Self {
            re: self.im,
            im: self.re,
        }
    }
}

/// One pass of Stockham's algorithm.
#[derive(Debug, Clone)]
struct Pass {
    radix: usize,
    /// Butterflies of different twiddle factors.
    count: usize,
    /// Elements that share a twiddle factor.
    stride: usize,
    /// `radix − 1` factors of each butterfly.
    twiddles: Vec<[f64; 2]>,
    /// Powers of the root of unity of the radix, for radices without a special form.
    roots: Vec<[f64; 2]>,
}

/// Transform of a fixed length, `X_k = Σ_j x_j exp(−2πi jk/n)`.
#[derive(Debug, Clone)]
pub(crate) struct Fft {
    n: usize,
    passes: Vec<Pass>,
}

/// exp(−2πi k/n).
fn root(k: usize, n: usize) -> [f64; 2] {
    let angle = std::f64::consts::TAU * (k % n) as f64 / n as f64;
    let (sin, cos) = math::sin_cos(angle);
    [cos, -sin]
}

/// Radices of a length: fours, then a two, then odd primes.
fn radices(mut n: usize) -> Vec<usize> {
    let mut list = Vec::new();
    let mut radix = 4;
    while n > 1 {
        if n.is_multiple_of(radix) {
            list.push(radix);
            n /= radix;
        } else {
            radix = match radix {
                4 => 2,
                2 => 3,
                _ => radix + 2,
            };
        }
    }
    list
}

impl Fft {
    pub(crate) fn new(n: usize) -> Self {
        assert!(n > 0, "a transform of no elements");
        let mut length = n;
        let mut stride = 1;
        let passes = radices(n).into_iter().map(|radix| {
            let count = length / radix;
            let twiddles = (0..count)
                .flat_map(|p| (1..radix).map(move |k| (p * k, count * radix)))
                .map(|(k, n)| root(k, n))
                .collect();
            let pass = Pass {
                radix,
                count,
                stride,
                twiddles,
                roots: (0..radix).map(|k| root(k, radix)).collect(),
            };
            length = count;
            stride *= radix;
            pass
        });
        Self {
            n,
            passes: passes.collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// Transforms `lanes` in place; `work` has the same length and its contents are lost.
    pub(crate) fn run(&self, lanes: &mut Vec<Lane>, work: &mut Vec<Lane>) {
        assert!(lanes.len() == self.n && work.len() == self.n);
        for pass in &self.passes {
            match pass.radix {
                4 => pass.radix4(lanes, work),
                2 => pass.radix2(lanes, work),
                3 => pass.radix3(lanes, work),
                _ => pass.any_radix(lanes, work),
            }
            std::mem::swap(lanes, work);
        }
    }
}

impl Pass {
    fn radix2(&self, from: &[Lane], to: &mut [Lane]) {
        let (s, m) = (self.stride, self.count);
        for p in 0..m {
            let w = self.twiddles[p];
            let [a, b] = [0, 1].map(|k| &from[s * (p + m * k)..][..s]);
            let (y0, y1) = to[2 * s * p..][..2 * s].split_at_mut(s);
            for q in 0..s {
                y0[q] = a[q].plus(b[q]);
                y1[q] = a[q].minus(b[q]).times(w);
            }
        }
    }

    fn radix3(&self, from: &[Lane], to: &mut [Lane]) {
        /// sin 60°.
        const SIN: f64 = 0.866_025_403_784_438_6;
        let (s, m) = (self.stride, self.count);
        for p in 0..m {
            let w = &self.twiddles[2 * p..][..2];
            let [a, b, c] = [0, 1, 2].map(|k| &from[s * (p + m * k)..][..s]);
            let (y0, rest) = to[3 * s * p..][..3 * s].split_at_mut(s);
            let (y1, y2) = rest.split_at_mut(s);
            for q in 0..s {
                let sum = b[q].plus(c[q]);
                let across = b[q].minus(c[q]).turned().scaled(SIN);
                let centre = a[q].minus(sum.scaled(0.5));
                y0[q] = a[q].plus(sum);
                y1[q] = centre.plus(across).times(w[0]);
                y2[q] = centre.minus(across).times(w[1]);
            }
        }
    }

    fn radix4(&self, from: &[Lane], to: &mut [Lane]) {
        let (s, m) = (self.stride, self.count);
        for p in 0..m {
            let w = &self.twiddles[3 * p..][..3];
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| &from[s * (p + m * k)..][..s]);
            let (low, high) = to[4 * s * p..][..4 * s].split_at_mut(2 * s);
            let (y0, y1) = low.split_at_mut(s);
            let (y2, y3) = high.split_at_mut(s);
            for q in 0..s {
                let (ac, bd) = (a[q].plus(c[q]), b[q].plus(d[q]));
                let (a_c, b_d) = (a[q].minus(c[q]), b[q].minus(d[q]).turned());
                y0[q] = ac.plus(bd);
                y1[q] = a_c.plus(b_d).times(w[0]);
                y2[q] = ac.minus(bd).times(w[1]);
                y3[q] = a_c.minus(b_d).times(w[2]);
            }
        }
    }

    fn any_radix(&self, from: &[Lane], to: &mut [Lane]) {
        let (s, m, r) = (self.stride, self.count, self.radix);
        for p in 0..m {
            for k in 0..r {
                for q in 0..s {
                    let mut sum = from[q + s * p];
                    for j in 1..r {
                        sum = sum.plus(from[q + s * (p + m * j)].times(self.roots[j * k % r]));
                    }
                    let twiddle = (k > 0).then(|| self.twiddles[(r - 1) * p + k - 1]);
                    to[q + s * (r * p + k)] = twiddle.map_or(sum, |w| sum.times(w));
                }
            }
        }
    }
}

/// Sine transform of a fixed length, `F_k = Σ_{j=1}^{n−1} x_j sin(π jk/n)`, from one Fourier transform of length n.
#[derive(Debug, Clone)]
pub(crate) struct SineTransform {
    fft: Fft,
    /// sin(π j/n).
    sines: Vec<f64>,
}

impl SineTransform {
    pub(crate) fn new(n: usize) -> Self {
        let sine = |j| math::sin(std::f64::consts::PI * j as f64 / n as f64);
        Self {
            fft: Fft::new(n),
            sines: (0..n).map(sine).collect(),
        }
    }

    /// Transforms `lanes[1..]` in place; `lanes[0]` becomes zero. Twice over, it is a multiplication by n/2.
    pub(crate) fn run(&self, lanes: &mut Vec<Lane>, work: &mut Vec<Lane>) {
        let n = self.fft.len();
        // With y_j = sin(πj/n)(x_j + x_{n−j}) + ½(x_j − x_{n−j}), Σ y_j sin(2πjk/n) = F_{2k} and Σ y_j cos(2πjk/n) = F_{2k+1} − F_{2k−1}.
        lanes[0] = Lane::ZERO;
        for j in 1..n.div_ceil(2) {
            let sum = lanes[j].plus(lanes[n - j]).scaled(self.sines[j]);
            let half = lanes[j].minus(lanes[n - j]).scaled(0.5);
            lanes[j] = sum.plus(half);
            lanes[n - j] = sum.minus(half);
        }
        if n.is_multiple_of(2) {
            lanes[n / 2] = lanes[n / 2].scaled(2.0);
        }
        self.fft.run(lanes, work);
        let cosine = |k: usize| lanes[k].plus(lanes[(n - k) % n]).scaled(0.5);
        let sine = |k: usize| lanes[k].minus(lanes[(n - k) % n]).turned().scaled(-0.5);
        work[0] = Lane::ZERO;
        let mut odd = lanes[0].scaled(0.5);
        for k in 0..n.div_ceil(2) {
            if k > 0 {
                odd = odd.plus(cosine(k));
                work[2 * k] = sine(k);
            }
            if 2 * k + 1 < n {
                work[2 * k + 1] = odd;
            }
        }
        std::mem::swap(lanes, work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(n: usize) -> Vec<Lane> {
        let value = |j: usize, l: usize| math::sin((3 * j * j + 7 * l + 1) as f64);
        let lane = |j| Lane {
            re: std::array::from_fn(|l| value(j, l)),
            im: std::array::from_fn(|l| value(j + 5, l + 2)),
        };
        (0..n).map(lane).collect()
    }

    #[test]
    fn transforms_agree_with_their_definition_for_all_radices() {
        for n in [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 30, 32, 26, 36] {
            let given = samples(n);
            let mut lanes = given.clone();
            Fft::new(n).run(&mut lanes, &mut vec![Lane::ZERO; n]);
            for (k, found) in lanes.iter().enumerate() {
                let mut sum = Lane::ZERO;
                for (j, x) in given.iter().enumerate() {
                    sum = sum.plus(x.times(root(j * k, n)));
                }
                let error = found.minus(sum);
                let all = error.re.iter().chain(&error.im);
                assert!(all.fold(0.0, |a: f64, b| a.max(b.abs())) < 1e-13 * n as f64);
            }
        }
    }

    #[test]
    fn sine_transforms_agree_with_their_definition() {
        for n in [2, 3, 5, 8, 12, 20] {
            let given = samples(n);
            let mut lanes = given.clone();
            SineTransform::new(n).run(&mut lanes, &mut vec![Lane::ZERO; n]);
            for (k, found) in lanes.iter().enumerate().skip(1) {
                let mut sum = Lane::ZERO;
                for (j, x) in given.iter().enumerate().skip(1) {
                    let angle = std::f64::consts::PI * (j * k) as f64 / n as f64;
                    sum = sum.plus(x.scaled(math::sin(angle)));
                }
                let error = found.minus(sum);
                assert!(
                    error.re.iter().all(|e| e.abs() < 1e-13 * n as f64),
                    "{n} {k}"
                );
            }
        }
    }
}
