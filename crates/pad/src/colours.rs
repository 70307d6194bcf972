//! Colours that guests are given: twelve hues, each as far as possible from those of other people.
//!
//! Pages show a person's hue at a lightness of their own, so colours differ by hue alone.

use std::cmp::Reverse;

use crate::people::Colour;

/// The colours given to authors who chose none: lightness 0.74 and chroma 0.12 in OKLCH. The hues
/// are those that differ most for people with and without colour blindness;
/// `web/test/peopleColours.test.ts` measures it.
pub const GIVEN_COLOURS: [&str; 12] = [
    "#ea89a1", "#eb9070", "#d2a249", "#a4b558", "#7fbe75", "#61c28e", "#3bc3ac", "#30bed9",
    "#7aacf6", "#bb97e8", "#d38fd2", "#e28bb9",
];

/// Hues closer than this look alike: less than half of the way between two neighbours.
const ALIKE_DEGREES: f64 = 8.0;
/// What has less chroma is grey, and has no hue.
const LEAST_CHROMA: f64 = 0.015;

/// The colours of others in a pad.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours<'a> {
    pub present: &'a [Colour],
    /// Of those who wrote in it.
    pub wrote: &'a [Colour],
}

/// Any of the colours, for an author who is in no pad yet.
pub fn any_given_colour(entropy: u128) -> Colour {
    Colour::Given((entropy % GIVEN_COLOURS.len() as u128) as u32)
}

/// The colour that an author who comes into a pad gets in place of its own. `None`: the author
/// keeps its colour, since it chose it, or since another would not be told apart any better.
/// Somebody new always gets the one with the largest distance to those of others.
pub fn given_colour(
    own: &Colour,
    is_new: bool,
    others: Neighbours<'_>,
    entropy: u128,
) -> Option<Colour> {
    let Colour::Given(_) = own else {
        return None;
    };
    let present = hues(others.present);
    let wrote = hues(others.wrote);
    let count = GIVEN_COLOURS.len() as u32;
    let start = (entropy % u128::from(count)) as u32;
    // In an order that differs from pad to pad, so that first guests have different colours.
    let candidates = (0..count).map(|step| Colour::Given((start + step) % count));
    let best = candidates.min_by_key(|candidate| {
        let hue = hue(candidate.to_css());
        let nearest = present.iter().chain(&wrote);
        let nearest = nearest
            .map(|other| distance(hue, Some(*other)) as u32)
            .min();
        let nearest = Reverse(nearest.unwrap_or_default());
        (alike(hue, &present), alike(hue, &wrote), nearest)
    })?;
    let clashes = |colour: &Colour| {
        let hue = hue(colour.to_css());
        (alike(hue, &present) > 0, alike(hue, &wrote) > 0)
    };
    (is_new || clashes(&best) < clashes(own)).then_some(best)
}

fn hues(colours: &[Colour]) -> Vec<f64> {
    let hues = colours.iter().filter_map(|colour| hue(colour.to_css()));
    hues.collect()
}

fn alike(hue: Option<f64>, others: &[f64]) -> usize {
    let is_alike = |other: &&f64| distance(hue, Some(**other)) < ALIKE_DEGREES;
    others.iter().filter(is_alike).count()
}

/// Degrees between two hues; grey is far from all of them.
fn distance(one: Option<f64>, other: Option<f64>) -> f64 {
    let (Some(one), Some(other)) = (one, other) else {
        return 180.0;
    };
    let degrees = (one - other).abs();
    degrees.min(360.0 - degrees)
}

/// The hue of a colour in OKLCH, in degrees. `None` for greys.
fn hue(css: &str) -> Option<f64> {
    let [red, green, blue] = channels(css)?.map(linear);
    let long = (0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue).cbrt();
    let middle = (0.211_903_5 * red + 0.680_699_55 * green + 0.107_396_96 * blue).cbrt();
    let short = (0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_7 * blue).cbrt();
    let a = 1.977_998_5 * long - 2.428_592_2 * middle + 0.450_593_7 * short;
    let b = 0.025_904_04 * long + 0.782_771_77 * middle - 0.808_675_77 * short;
    (a.hypot(b) >= LEAST_CHROMA).then(|| b.atan2(a).to_degrees().rem_euclid(360.0))
}

/// Red, green and blue of `#rgb` or `#rrggbb`.
fn channels(css: &str) -> Option<[u8; 3]> {
    let digits = css.strip_prefix('#')?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    match digits.len() {
        6 => Some([red, green, blue]),
        3 => Some([8, 4, 0].map(|shift| (number >> shift & 0xf) as u8 * 0x11)),
        _ => None,
    }
}

/// The light of a channel, from 0 to 1.
fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.040_45 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(own: u32, is_new: bool, present: &[Colour], wrote: &[Colour]) -> Option<Colour> {
        let others = Neighbours { present, wrote };
        given_colour(&Colour::Given(own), is_new, others, 5)
    }

    fn colours(indices: impl IntoIterator<Item = u32>) -> Vec<Colour> {
        indices.into_iter().map(Colour::Given).collect()
    }

    #[test]
    fn twelve_who_come_one_after_another_have_twelve_colours() {
        for entropy in 0..12 {
            let (mut present, mut wrote) = (Vec::new(), Vec::new());
            for person in 0..12 {
                let others = Neighbours {
                    present: &present,
                    wrote: &wrote,
                };
                let own = any_given_colour(entropy);
                let got = given_colour(&own, true, others, entropy + person).unwrap();
                assert!(!present.contains(&got) && !wrote.contains(&got), "{got:?}");
                // Every other one writes and goes.
                let list = if person % 2 == 0 {
                    &mut present
                } else {
                    &mut wrote
                };
                list.push(got);
            }
        }
    }

    #[test]
    fn the_second_is_far_from_the_first() {
        for first in 0..12 {
            let got = given(first, true, &colours([first]), &[]).unwrap();
            let [one, other] = [Colour::Given(first), got].map(|it| hue(it.to_css()));
            assert!(distance(one, other) > 150.0, "{first}: {one:?} {other:?}");
        }
    }

    #[test]
    fn colours_of_the_palette_and_chosen_ones_are_kept_away_from() {
        let sky = Colour::Hex("#7AACF5".to_owned());
        assert_ne!(given(8, false, &[sky], &[]), None);
        // The first of the palette is a pale rose.
        let got = given(0, true, &[], &[Colour::Palette(0)]).unwrap();
        let far = distance(hue(got.to_css()), hue("#ffc7c7"));
        assert!(far > 140.0, "{got:?}: {far}");
    }

    #[test]
    fn a_colour_stays_while_nobody_has_it() {
        assert_eq!(given(3, false, &colours([2, 4]), &colours([9])), None);
        assert_ne!(given(3, false, &colours([3]), &[]), None);
        assert_ne!(given(3, false, &[], &colours([3])), None);
        // Nothing would be better.
        assert_eq!(given(3, false, &colours(0..12), &[]), None);
        assert_eq!(given(3, false, &[], &colours(0..12)), None);
        // The others have gone, but for one.
        assert_ne!(given(3, false, &colours([3]), &colours(0..12)), None);
    }

    #[test]
    fn who_chose_a_colour_keeps_it() {
        let others = Neighbours {
            present: &[Colour::Hex("#7aacf6".to_owned())],
            wrote: &[],
        };
        for own in [Colour::Hex("#7aacf6".to_owned()), Colour::Palette(13)] {
            assert_eq!(given_colour(&own, true, others, 0), None);
        }
    }

    #[test]
    fn neighbours_are_not_alike_and_greys_have_no_hue() {
        let hues = GIVEN_COLOURS.map(|colour| hue(colour).unwrap());
        for (index, one) in hues.iter().enumerate() {
            for other in hues.iter().skip(index + 1) {
                assert!(distance(Some(*one), Some(*other)) > 2.0 * ALIKE_DEGREES);
            }
        }
        assert_eq!(hue("#888"), None);
        assert_eq!(hue("#fff"), None);
        assert!((hue("#f00").unwrap() - 29.2).abs() < 0.5);
        assert!((hue("#0000ff").unwrap() - 264.0).abs() < 0.5);
    }

    #[test]
    fn pages_offer_the_same() {
        let file = include_str!("../../../fixtures/people/given-colours.json");
        let offered: Vec<String> = serde_json::from_str(file).unwrap();
        assert_eq!(offered, GIVEN_COLOURS);
    }

    #[test]
    fn stored_numbers_come_back() {
        for colour in [
            Colour::Palette(0),
            Colour::Palette(63),
            Colour::Given(0),
            Colour::Given(11),
            Colour::Palette(76),
        ] {
            let number = colour.stored_number().unwrap();
            assert_eq!(Colour::of_stored_number(number), colour);
        }
    }
}
