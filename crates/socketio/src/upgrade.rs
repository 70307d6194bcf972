//! From polling to a websocket: the client tries one beside its polls, and changes over once both
//! ends have seen that it works.
//!
//! Until the client's last word nothing of the session is touched: a websocket that fails costs
//! nothing but itself.

use std::sync::Arc;

use hyper::upgrade::OnUpgrade;
use tokio::time::timeout;

use crate::packet::Packet;
use crate::session::Session;
use crate::websocket::{self, Frame, Reader, Writer};

pub(crate) async fn run(session: Arc<Session>, websocket: OnUpgrade) {
    let tried = tokio::select! {
        tried = timeout(session.config.upgrade_timeout, try_out(&session, websocket)) => tried,
        _ = session.over() => Ok(None),
    };
    match tried {
        Ok(Some((reader, writer))) => {
            session.polling.switch(reader, writer).await;
            // What was offered to polls and not taken has to find its way.
            session.abandoned.notify_one();
        }
        Ok(None) | Err(_) => session.polling.end_probe(),
    }
}

async fn try_out(session: &Session, websocket: OnUpgrade) -> Option<(Reader, Writer)> {
    let websocket = websocket.await.ok()?;
    let (mut reader, mut writer) = websocket::split(websocket, session.config.max_payload);
    expect(&mut reader, &mut writer, b"2probe").await?;
    writer.push(&[Packet::text(&["3probe"])]);
    writer.flush().await.ok()?;
    session.polling.probed();
    expect(&mut reader, &mut writer, b"5").await?;
    Some((reader, writer))
}

async fn expect(reader: &mut Reader, writer: &mut Writer, packet: &[u8]) -> Option<()> {
    loop {
        match reader.next().await.ok()? {
            Frame::Text(text) => return (text == packet).then_some(()),
            Frame::Ping(payload) => {
                writer.push(&[Packet::websocket_pong(&payload)]);
                writer.flush().await.ok()?;
            }
            Frame::Pong => {}
            Frame::Close => return None,
        }
    }
}
