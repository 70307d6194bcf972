//! Letting somebody into the pads of a group.

use serde_json::json;
use service::Error;

use super::{Failure, Operations, Summary};

/// Names are those of the calling application; what is not known by them yet is made.
pub struct Wanted<'a> {
    pub group: &'a str,
    pub author: &'a str,
    pub name: Option<&'a str>,
    pub pad: Option<&'a str>,
    pub seconds: u64,
}

impl Operations {
    pub async fn session(&self, wanted: &Wanted<'_>, dry_run: bool) -> Result<Summary, Failure> {
        let seconds = i64::try_from(wanted.seconds).unwrap_or(i64::MAX);
        let now = self.service.now().millis() / 1000;
        let valid_until = now.saturating_add(seconds);
        if dry_run {
            return Ok(Summary {
                text: format!(
                    "would let {} into the pads of {} until {valid_until}",
                    wanted.author, wanted.group
                ),
                data: json!({ "validUntil": valid_until, "dryRun": true }),
                ok: true,
            });
        }
        let service = &self.service;
        let group = service.create_group_if_not_exists_for(wanted.group).await?;
        let author = service.create_author_if_not_exists_for(wanted.author, wanted.name);
        let author = author.await?;
        let pad = match wanted.pad {
            None => None,
            Some(name) => {
                let id = format!("{}${name}", group.as_str());
                match service.create_group_pad(&group, name, None, None).await {
                    Ok((pad, _)) => Some(pad.into_string()),
                    Err(Error::PadNameExists) => Some(id),
                    Err(error) => return Err(error.into()),
                }
            }
        };
        let session = service.create_session(&group, &author, valid_until).await?;
        let (group, author, session) = (group.as_str(), author.as_str(), session.as_str());
        let mut text = format!(
            "group {group}\nauthor {author}\nsession {session}, until {valid_until}\n\
             cookie sessionID={session}"
        );
        if let Some(pad) = &pad {
            text += &format!("\npad /p/{pad}");
        }
        Ok(Summary {
            text,
            data: json!({
                "groupID": group,
                "authorID": author,
                "sessionID": session,
                "validUntil": valid_until,
                "padID": pad,
                "dryRun": false,
            }),
            ok: true,
        })
    }
}
