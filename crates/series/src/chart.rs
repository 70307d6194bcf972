//! A chart: stretches of equal length up to now, each with a number of every series, or none.

use crate::time::iso_time;
use crate::totals::{Point, SERIES, Totals};
use crate::{HOUR_MILLIS, KEPT_HOURS};

/// How far a chart goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    Hour,
    Day,
    Week,
    Quarter,
}

impl Span {
    pub const ALL: [Span; 4] = [Span::Hour, Span::Day, Span::Week, Span::Quarter];

    pub fn name(self) -> &'static str {
        match self {
            Span::Hour => "hour",
            Span::Day => "day",
            Span::Week => "week",
            Span::Quarter => "quarter",
        }
    }

    /// The length of a stretch, and how many there are.
    fn stretches(self) -> (i64, usize) {
        match self {
            Span::Hour => (30_000, 120),
            Span::Day => (10 * 60_000, 144),
            Span::Week => (HOUR_MILLIS, 7 * 24),
            Span::Quarter => (24 * HOUR_MILLIS, 90),
        }
    }

    /// The first hour that matters to it.
    pub fn first_hour(self, now_millis: i64) -> i64 {
        let (width, count) = self.stretches();
        let hours = (width * count as i64) / HOUR_MILLIS;
        now_millis.div_euclid(HOUR_MILLIS) - hours.clamp(1, KEPT_HOURS)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// When the first stretch begins.
    pub from_millis: i64,
    pub width_millis: i64,
    pub points: Vec<Point>,
}

impl Chart {
    /// Of what was measured, with the time at which each begins. Where `fine` has nothing, as after
    /// a restart, the hour in `hours` stands for each of its parts.
    pub fn new(
        span: Span,
        now_millis: i64,
        fine: impl IntoIterator<Item = (i64, Totals)>,
        hours: &[(i64, Totals)],
    ) -> Chart {
        let (width_millis, count) = span.stretches();
        let last = now_millis.div_euclid(width_millis);
        let first = last - (count as i64 - 1);
        let mut stretches = vec![Totals::default(); count];
        let mut put = |time: i64, totals: &Totals| {
            let place = usize::try_from(time.div_euclid(width_millis) - first);
            if let Some(stretch) = place.ok().and_then(|place| stretches.get_mut(place)) {
                stretch.join(totals);
            }
        };
        for (time, totals) in fine {
            put(time, &totals);
        }
        if width_millis >= HOUR_MILLIS {
            for (hour, totals) in hours {
                put(hour.saturating_mul(HOUR_MILLIS), totals);
            }
        }
        let from_millis = first * width_millis;
        let mut points: Vec<Point> = stretches
            .iter()
            .map(|stretch| stretch.point(width_millis))
            .collect();
        if width_millis < HOUR_MILLIS {
            fill(&mut points, &stretches, from_millis, width_millis, hours);
        }
        Chart {
            from_millis,
            width_millis,
            points,
        }
    }

    /// A line for each stretch, with the time at which it begins.
    pub fn to_csv(&self) -> String {
        let mut text = format!("time,{}\n", SERIES.join(","));
        for (place, point) in self.points.iter().enumerate() {
            text.push_str(&iso_time(
                self.from_millis + place as i64 * self.width_millis,
            ));
            for number in point {
                text.push(',');
                if let Some(number) = number {
                    text.push_str(&((number * 1_000.0).round() / 1_000.0).to_string());
                }
            }
            text.push('\n');
        }
        text
    }
}

/// Fills stretches that nothing is known of with the hour that they are part of.
fn fill(
    points: &mut [Point],
    stretches: &[Totals],
    from_millis: i64,
    width_millis: i64,
    hours: &[(i64, Totals)],
) {
    let mut of_hours: Vec<(i64, Totals)> = Vec::new();
    for (hour, totals) in hours {
        match of_hours.last_mut() {
            Some((last, sum)) if last == hour => sum.join(totals),
            _ => of_hours.push((*hour, *totals)),
        }
    }
    let measured = stretches.iter().position(|stretch| stretch.steps > 0);
    let known_from = measured.unwrap_or(points.len());
    for (place, point) in points.iter_mut().take(known_from).enumerate() {
        let hour = (from_millis + place as i64 * width_millis).div_euclid(HOUR_MILLIS);
        if let Some((_, totals)) = of_hours.iter().find(|(of, _)| *of == hour) {
            *point = totals.point(HOUR_MILLIS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::STEP_MILLIS;

    const NOW: i64 = 1_000 * HOUR_MILLIS + 5 * 60_000;

    fn people(chart: &Chart) -> Vec<Option<f64>> {
        chart.points.iter().map(|point| point[0]).collect()
    }

    fn totals(people: u64, steps: u64) -> Totals {
        Totals {
            steps,
            people: people * steps,
            ..Totals::default()
        }
    }

    #[test]
    fn every_span_ends_now_and_has_its_length() {
        for (span, millis) in [
            (Span::Hour, HOUR_MILLIS),
            (Span::Day, 24 * HOUR_MILLIS),
            (Span::Week, 7 * 24 * HOUR_MILLIS),
            (Span::Quarter, 90 * 24 * HOUR_MILLIS),
        ] {
            let chart = Chart::new(span, NOW, [], &[]);
            let length = chart.points.len() as i64 * chart.width_millis;
            assert_eq!(length, millis, "{span:?}");
            let end = chart.from_millis + length;
            assert!(end > NOW && end - chart.width_millis <= NOW, "{span:?}");
            assert!(people(&chart).iter().all(Option::is_none), "{span:?}");
            assert!(span.first_hour(NOW) * HOUR_MILLIS <= chart.from_millis.max(NOW - millis));
        }
    }

    #[test]
    fn steps_and_hours_are_in_their_stretches() {
        let steps = [(NOW - 60_000, totals(2, 1)), (NOW - 50_000, totals(4, 1))];
        let hour = Chart::new(Span::Hour, NOW, steps, &[]);
        let known: Vec<f64> = people(&hour).into_iter().flatten().collect();
        assert_eq!(known, [3.0]);
        assert_eq!(steps[1].0 - steps[0].0, STEP_MILLIS);
        // Two nodes in one hour, and one in the hour before.
        let hours = [
            (999, totals(9, 360)),
            (1_000, totals(5, 360)),
            (1_000, totals(6, 360)),
        ];
        let week = Chart::new(Span::Week, NOW, [], &hours);
        assert_eq!(people(&week)[166..], [Some(9.0), Some(11.0)]);
        let days = Chart::new(Span::Quarter, NOW, [], &hours);
        assert_eq!(people(&days).into_iter().flatten().count(), 1);
    }

    #[test]
    fn hours_stand_for_what_was_before_a_restart() {
        let hours = [(999, totals(9, 360)), (1_000, totals(50, 10))];
        let steps = [(NOW - 10_000, totals(2, 1))];
        let day = Chart::new(Span::Day, NOW, steps, &hours);
        let people = people(&day);
        assert_eq!(people[143], Some(2.0), "what was measured counts");
        assert_eq!(people[137..143], [Some(9.0); 6]);
        assert_eq!(people[136], None);
    }

    #[test]
    fn csv_has_a_line_for_each_stretch() {
        let hours = [(1_000, totals(5, 3))];
        let csv = Chart::new(Span::Week, NOW, [], &hours).to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 169);
        assert!(lines[0].starts_with("time,people,connections,changes,storedP50,"));
        assert_eq!(lines[168], "1970-02-11T16:00:00Z,5,0,0,,,,,0,0,0,,");
        assert_eq!(lines[1].matches(',').count(), SERIES.len());
    }
}
