//! Frames of the control socket: JSON and bytes, each with its length before it.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The longest piece: what a file to be imported may weigh.
const LONGEST: u32 = 1 << 30;
const JSON: u8 = b'j';
const BYTES: u8 = b'b';

#[derive(Debug)]
pub(super) enum Frame {
    Json(Vec<u8>),
    Bytes(Vec<u8>),
}

impl Frame {
    pub(super) fn of(value: &impl Serialize) -> io::Result<Frame> {
        Ok(Frame::Json(serde_json::to_vec(value)?))
    }

    pub(super) fn parse<T: DeserializeOwned>(&self) -> io::Result<T> {
        match self {
            Frame::Json(text) => Ok(serde_json::from_slice(text)?),
            Frame::Bytes(_) => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// `None`: the other side has ended.
    pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Frame>> {
        let kind = match from.read_u8().await {
            Ok(kind) => kind,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        };
        let length = from.read_u32().await?;
        if length > LONGEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut content = Vec::new();
        // Grows as it comes, so that nobody takes memory by announcing much.
        let read = from.take(length.into()).read_to_end(&mut content).await?;
        if read as u64 != u64::from(length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match kind {
            JSON => Ok(Some(Frame::Json(content))),
            BYTES => Ok(Some(Frame::Bytes(content))),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    pub(super) async fn write(&self, to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let (kind, content) = match self {
            Frame::Json(content) => (JSON, content),
            Frame::Bytes(content) => (BYTES, content),
        };
        let length = u32::try_from(content.len()).ok();
        let Some(length) = length.filter(|length| *length <= LONGEST) else {
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        to.write_u8(kind).await?;
        to.write_u32(length).await?;
        to.write_all(content).await?;
        to.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn frames_arrive_as_they_were_sent_and_others_are_refused() {
        let mut sent = Vec::new();
        Frame::of(&"text").unwrap().write(&mut sent).await.unwrap();
        Frame::Bytes(vec![1, 2]).write(&mut sent).await.unwrap();
        let mut from = sent.as_slice();
        let first = Frame::read(&mut from).await.unwrap().unwrap();
        assert_eq!(first.parse::<String>().unwrap(), "text");
        assert!(first.parse::<u64>().is_err());
        let second = Frame::read(&mut from).await.unwrap().unwrap();
        assert!(matches!(&second, Frame::Bytes(bytes) if bytes == &[1, 2]));
        assert!(second.parse::<String>().is_err());
        assert!(Frame::read(&mut from).await.unwrap().is_none());
        for wrong in [
            &b"j\0\0\0\x05\"ab\""[..],
            b"j\0\0",
            b"x\0\0\0\0",
            b"b\xff\xff\xff\xff",
        ] {
            assert!(Frame::read(&mut &wrong[..]).await.is_err(), "{wrong:?}");
        }
    }
}
