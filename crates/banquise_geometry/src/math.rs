//! Elementary functions that give the same bits on every machine.
//!
//! The methods of `f64` call the mathematical library of the platform, which differs from one
//! system to the next in the last digit. These call the pinned `libm` crate, compiled with the
//! program. Angles are in radians. `f64::sqrt` is not here: IEEE 754 fixes all its bits.

/// Sine of an angle \[rad\].
#[inline]
pub fn sin(angle: f64) -> f64 {
    libm::sin(angle)
}

/// Cosine of an angle \[rad\].
#[inline]
pub fn cos(angle: f64) -> f64 {
    libm::cos(angle)
}

/// Tangent of an angle \[rad\].
#[inline]
pub fn tan(angle: f64) -> f64 {
    libm::tan(angle)
}

/// Sine and cosine, in this order, of an angle \[rad\].
#[inline]
pub fn sin_cos(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// Angle \[rad\] of the vector (x, y) from the x axis, between -π and π.
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Angle \[rad\] in [-π/2, π/2] whose sine is `x`.
#[inline]
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// Angle \[rad\] in [0, π] whose cosine is `x`.
#[inline]
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// eˣ.
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `base` to the power `exponent`.
#[inline]
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// √(x² + y²) without overflow or underflow on the way.
#[inline]
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// Hyperbolic sine.
#[inline]
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}

/// The number whose hyperbolic sine is `x`.
#[inline]
pub fn asinh(x: f64) -> f64 {
    libm::asinh(x)
}

/// Cube root.
#[inline]
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn known_values_come_out_to_the_last_digits() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert_eq!((sin(1.0), cos(1.0)), sin_cos(1.0));
        assert_eq!(atan2(0.0, -1.0), PI);
        assert_eq!(hypot(3.0, 4.0), 5.0);
        assert!((hypot(3e200, 4e200) / 5e200 - 1.0).abs() < 1e-15);
        assert_eq!(cbrt(27.0), 3.0);
        assert_eq!(pow(2.0, 10.0), 1024.0);
        assert_eq!(ln(exp(1.0)), 1.0);
        assert!((asinh(sinh(2.0)) - 2.0).abs() < 1e-15);
        assert_eq!(asin(1.0), PI / 2.0);
        assert_eq!(acos(-1.0), PI);
        assert!((tan(PI / 4.0) - 1.0).abs() < 1e-15);
    }
}
