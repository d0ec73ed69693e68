//! Statistics: the chi-square test.

use value::Value;

use super::call::{ArgPosition, Call};
use crate::interp::Evaluated;

type Result<'r> = Evaluated<Value<'r>>;

/// `ChiSquare`: whether counts agree with the expected ones at a level of significance, given as a string.
pub(super) fn chi_square<'r>(call: &mut Call<'_, '_, 'r>) -> Result<'r> {
    let [expected, actual, alpha] = call.values()?;
    let expected_counts = counts(call, ArgPosition::First, expected)?;
    let actual_counts = counts(call, ArgPosition::Second, actual)?;
    let level = alpha.as_string().and_then(|atom| atom.text().trim().parse::<f64>().ok());
    let Some(level) = level.filter(|level| *level > 0.0 && *level <= 0.5) else {
        return Err(call.refuse(ArgPosition::Third, "StringValue representing a double in (0, .5]", alpha));
    };
    if expected_counts.len() != actual_counts.len() || expected_counts.len() < 2 {
        return Err(
            call.malformed_fault("both functions must have the same number of categories, two or more")
        );
    }
    if expected_counts.iter().any(|&count| count <= 0.0) || actual_counts.iter().any(|&count| count < 0.0) {
        return Err(
            call.malformed_fault("expected counts must be positive, actual ones must not be negative")
        );
    }
    Ok(Value::bool(probability(&expected_counts, &actual_counts) >= level))
}

fn counts<'r>(call: &mut Call<'_, '_, 'r>, place: ArgPosition, value: Value<'r>) -> Evaluated<Vec<f64>> {
    let Some(pairs) = call.graph(value)? else { return Err(call.refuse(place, "function", value)) };
    let counts = pairs.iter().map(|(_, count)| count.as_i64().map(|count| count as f64));
    match counts.collect() {
        Some(counts) => Ok(counts),
        None => Err(call.refuse(place, "function to integers", value)),
    }
}

/// Returns the probability of a deviation at least this large, if the expected counts are right.
fn probability(expected: &[f64], actual: &[f64]) -> f64 {
    let (sum_expected, sum_actual): (f64, f64) = (expected.iter().sum(), actual.iter().sum());
    let scale = if (sum_expected - sum_actual).abs() > 1e-5 { sum_actual / sum_expected } else { 1.0 };
    let deviation =
        |(expected, actual): (&f64, &f64)| (actual - scale * expected).powi(2) / (scale * expected);
    let statistic: f64 = expected.iter().zip(actual).map(deviation).sum();
    let freedom = expected.len() as f64 - 1.0;
    1.0 - lower_gamma(freedom / 2.0, statistic / 2.0)
}

const TERMS_MAX: usize = 10_000;
const PRECISION: f64 = 1e-15;

/// Computes the regularised lower incomplete gamma function, by its series or, for large `x`, by its continued fraction
/// (Press et al., Numerical Recipes, 6.2).
fn lower_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = (-x + a * x.ln() - ln_gamma(a)).exp();
    if x < a + 1.0 { front * gamma_series(a, x) } else { 1.0 - front * gamma_fraction(a, x) }
}

fn gamma_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for n in 1..TERMS_MAX {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    sum
}

/// Computes the continued fraction by Lentz's method.
fn gamma_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let not_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / not_zero(b);
    let mut result = d;
    for i in 1..TERMS_MAX {
        let factor = -(i as f64) * (i as f64 - a);
        b += 2.0;
        d = 1.0 / not_zero(factor * d + b);
        c = not_zero(b + factor / c);
        result *= d * c;
        if (d * c - 1.0).abs() < PRECISION {
            break;
        }
    }
    result
}

/// Computes the logarithm of the gamma function by Lanczos' approximation with g = 7 and nine terms.
fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let pi = std::f64::consts::PI;
        return (pi / (pi * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let sum = (0u32..)
        .zip(COEFFICIENTS)
        .fold(0.999_999_999_999_809_9, |sum, (i, coefficient)| sum + coefficient / (x + f64::from(i) + 1.0));
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::{lower_gamma, probability};

    #[test]
    fn the_distribution_has_its_tabulated_quantiles() {
        // Degrees of freedom, statistic, probability of a smaller one.
        for (freedom, statistic, below) in
            [(1.0, 3.841_459, 0.95), (5.0, 9.236_357, 0.90), (10.0, 23.209_251, 0.99)]
        {
            assert!(
                (lower_gamma(freedom / 2.0, statistic / 2.0) - below).abs() < 1e-6,
                "{freedom} {statistic}"
            );
        }
    }

    #[test]
    fn counts_that_agree_are_certain() {
        assert!(probability(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]) > 0.999_999);
        assert!(probability(&[6.0; 6], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) < 0.5);
    }
}
