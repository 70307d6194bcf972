//! Archives: pads that are taken out of use under a name with the date.
//!
//! A pad is renamed, in one transaction: nothing that somebody writes meanwhile is lost between a
//! copy and a removal, and links to read it go on working.

use pad::PadId;
use series::iso_time;
use service::{Error, Service};

/// How the names of archives begin, as with the plugin "expiry".
const PREFIX: &str = "archived-";
/// How many pads may be archived under one name on one day.
const ATTEMPTS: usize = 20;

/// Archives a pad, and answers with its new name.
pub(super) async fn archive(service: &Service, pad: &PadId) -> Result<PadId, Error> {
    let date = iso_time(service.now().millis());
    let date = date.get(..10).unwrap_or(&date);
    for attempt in 1..=ATTEMPTS {
        let name = archive_name(pad, date, attempt).ok_or(Error::DestinationExists)?;
        match service.move_pad(pad, &name, false).await {
            Err(Error::DestinationExists) => {}
            result => return result.map(|()| name),
        }
    }
    Err(Error::DestinationExists)
}

/// A pad of a group stays in its group: who may read it does not change. What is too long loses
/// its end, and never the number that tells two archives apart.
fn archive_name(pad: &PadId, date: &str, attempt: usize) -> Option<PadId> {
    let (group, name) = match pad.as_str().split_once('$') {
        Some((group, name)) => (format!("{group}$"), name),
        None => (String::new(), pad.as_str()),
    };
    let number = match attempt {
        1 => String::new(),
        attempt => format!("-{attempt}"),
    };
    let mut name = name.to_owned();
    loop {
        let archive = format!("{group}{PREFIX}{date}-{name}{number}");
        if let Some(id) = PadId::parse(&archive) {
            return Some(id);
        }
        name.pop()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_have_a_date_and_stay_in_their_group() {
        let long = "n".repeat(50);
        let cut = format!("archived-2026-05-01-{}", "n".repeat(30));
        let numbered = format!("archived-2026-05-01-{}-2", "n".repeat(28));
        let emoji = "😀".repeat(25);
        let fewer = format!("archived-2026-05-01-{}", "😀".repeat(15));
        for (pad, attempt, archive) in [
            ("notes", 1, "archived-2026-05-01-notes"),
            ("notes", 3, "archived-2026-05-01-notes-3"),
            (
                "g.abcdefghijklmnop$notes",
                1,
                "g.abcdefghijklmnop$archived-2026-05-01-notes",
            ),
            (&long, 1, &cut),
            (&long, 2, &numbered),
            (&emoji, 1, &fewer),
        ] {
            let pad = PadId::parse(pad).unwrap();
            let made = archive_name(&pad, "2026-05-01", attempt).unwrap();
            assert_eq!(made.as_str(), archive);
        }
    }
}
