//! How long something took lately, from the buckets of a histogram then and now.

/// Upper bounds in seconds, and how many were at most that.
pub(crate) type Buckets = Vec<(f64, u64)>;

/// The buckets of a histogram in the text that Prometheus reads.
pub(crate) fn buckets(text: &str, name: &str) -> Buckets {
    let bucket = |line: &str| {
        let rest = line.strip_prefix(name)?.strip_prefix("_bucket{le=\"")?;
        let (bound, count) = rest.split_once("\"} ")?;
        Some((bound.parse().ok()?, count.parse().ok()?))
    };
    text.lines().filter_map(bucket).collect()
}

/// The bound below which a share of what happened in between is; `None` if nothing happened.
pub(crate) fn quantile(before: &Buckets, now: &Buckets, share: f64) -> Option<f64> {
    let earlier = |at: usize| before.get(at).map_or(0, |(_, count)| *count);
    let between = now
        .iter()
        .enumerate()
        .map(|(at, (bound, count))| (*bound, count.saturating_sub(earlier(at))));
    let total = between.clone().map(|(_, count)| count).max()?;
    let wanted = (total as f64 * share).ceil() as u64;
    let reached = between.clone().find(|(_, count)| *count >= wanted.max(1));
    reached.map(|(bound, _)| bound).filter(|_| total > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_what_happened_in_between() {
        let told = |counts: [u64; 3]| {
            let [a, b, c] = counts;
            format!(
                "# TYPE x histogram\nx_sum 1\nx_bucket{{le=\"0.1\"}} {a}\n\
                 x_bucket{{le=\"0.2\"}} {b}\nx_bucket{{le=\"+Inf\"}} {c}\nxy_bucket{{le=\"9\"}} 1\n"
            )
        };
        let then = buckets(&told([90, 100, 100]), "x");
        assert_eq!(then, [(0.1, 90), (0.2, 100), (f64::INFINITY, 100)]);
        let now = buckets(&told([91, 109, 110]), "x");
        assert_eq!(quantile(&then, &now, 0.1), Some(0.1));
        assert_eq!(quantile(&then, &now, 0.5), Some(0.2));
        assert_eq!(quantile(&then, &now, 1.0), Some(f64::INFINITY));
        assert_eq!(quantile(&now, &now, 0.5), None);
        assert_eq!(quantile(&Vec::new(), &Vec::new(), 0.5), None);
    }
}
