//! A rating's history as a line of a few centimetres.

use maud::{Markup, html};

/// A line through these ratings on a scale that all lines share; nothing for fewer than two.
pub(super) fn spark(history: &[Option<f64>], scale: (f64, f64)) -> Markup {
    let known: Vec<(usize, f64)> =
        history.iter().enumerate().filter_map(|(place, elo)| Some((place, (*elo)?))).collect();
    let (Some((_, first)), Some((_, last))) = (known.first(), known.last()) else {
        return html! {};
    };
    if known.len() < 2 {
        return html! {};
    }
    let (low, high) = scale;
    let stretch = (history.len() - 1).max(1) as f64;
    let height = |elo: f64| 100.0 * (high - elo) / (high - low).max(1.0);
    let points: Vec<String> = known
        .iter()
        .map(|&(place, elo)| format!("{:.1},{:.1}", 100.0 * place as f64 / stretch, height(elo)))
        .collect();
    let zero = format!("{:.1}", height(0.0));
    html! {
        svg class="spark" viewBox="0 0 100 100" preserveAspectRatio="none" role="img"
            aria-label={ "from " (format!("{first:+.0}")) " to " (format!("{last:+.0}")) } {
            line x1="0" x2="100" y1=(zero) y2=(zero) {}
            polyline points=(points.join(" ")) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_needs_two_ratings() {
        let drawn = |history: &[Option<f64>]| spark(history, (-100.0, 100.0)).into_string();
        assert_eq!(drawn(&[]), "");
        assert_eq!(drawn(&[None, Some(5.0)]), "");
        let line = drawn(&[Some(0.0), None, Some(50.0), Some(-100.0)]);
        assert!(line.contains("points=\"0.0,50.0 66.7,25.0 100.0,100.0\""), "{line}");
        assert!(line.contains("from +0 to -100"), "{line}");
    }
}
