//! The expected maximum of lines at a random place.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// A line: its intercept and its slope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) intercept: f64,
    pub(super) slope: f64,
}

/// By how much the expected maximum of some lines at a standard normal place is above their maximum
/// at zero, exactly (Frazier, Powell and Dayanik 2009, "The knowledge-gradient policy for correlated
/// normal beliefs").
pub(super) fn expected_gain(lines: &mut [Line]) -> f64 {
    lines.sort_by(|one, other| {
        one.slope.total_cmp(&other.slope).then(one.intercept.total_cmp(&other.intercept))
    });
    // The lines that are highest somewhere, each with the place from which on it is.
    let mut upper: Vec<(Line, f64)> = Vec::new();
    for &line in lines.iter() {
        let mut from = f64::NEG_INFINITY;
        while let Some(&(last, since)) = upper.last() {
            if line.slope > last.slope {
                from = (last.intercept - line.intercept) / (line.slope - last.slope);
                if from > since {
                    break;
                }
            }
            // The last line is below this one wherever it is above all others.
            upper.pop();
            from = f64::NEG_INFINITY;
        }
        upper.push((line, from));
    }
    let standard = Normal::standard();
    let gain = |two: &[(Line, f64)]| {
        let far = -two[1].1.abs();
        (two[1].0.slope - two[0].0.slope) * (standard.pdf(far) + far * standard.cdf(far))
    };
    upper.windows(2).map(gain).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(lines: &[(f64, f64)]) -> f64 {
        let mut lines: Vec<Line> =
            lines.iter().map(|&(intercept, slope)| Line { intercept, slope }).collect();
        expected_gain(&mut lines)
    }

    /// The same by adding up over a fine grid.
    fn by_sum(lines: &[(f64, f64)]) -> f64 {
        let standard = Normal::standard();
        let at = |place: f64| {
            lines
                .iter()
                .map(|(intercept, slope)| intercept + slope * place)
                .fold(f64::MIN, f64::max)
        };
        let step = 1e-3;
        let places = (-8000..=8000).map(|it| f64::from(it) * step);
        places.map(|place| step * standard.pdf(place) * at(place)).sum::<f64>() - at(0.0)
    }

    #[test]
    fn the_expected_gain_equals_its_numerical_integral() {
        let cases: [&[(f64, f64)]; 5] = [
            &[(0.0, 1.0), (0.0, -1.0)],
            &[(0.0, 0.3), (0.1, 0.3), (0.05, 0.9), (-1.0, -2.0)],
            &[(1.0, 0.0), (0.9, 0.5), (0.8, -0.5), (-3.0, 0.1)],
            &[(0.0, 0.0), (-0.2, 0.1), (-0.1, 0.2), (-0.6, 0.4)],
            &[(2.0, 1.0)],
        ];
        for lines in cases {
            assert!((gain(lines) - by_sum(lines)).abs() < 1e-5, "{lines:?}");
        }
        // Two lines that cross at zero: the mean of the absolute value.
        assert!((gain(cases[0]) - (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn parallel_lines_gain_nothing() {
        assert_eq!(gain(&[(0.0, 0.5), (1.0, 0.5), (0.3, 0.5)]), 0.0);
    }
}
