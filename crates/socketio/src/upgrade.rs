//! From polling to a websocket: the client tries one beside its polls, and changes over once both
//! ends have seen that it works.
//!
//! Until the client's last word nothing of the session is touched: a websocket that fails costs
//! nothing but itself.

use std::sync::Arc;

use hyper::upgrade::OnUpgrade;
use tokio::time::{sleep, timeout};

use crate::packet::Packet;
use crate::session::{FAREWELL, Session};
use crate::websocket::{self, Frame, Reader, Writer};

pub(crate) async fn run(session: Arc<Session>, websocket: OnUpgrade) {
    let tried = timeout(session.config.upgrade_timeout, try_out(&session, websocket)).await;
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
    let (mut reader, mut writer) = tokio::select! {
        asked = asked(session, websocket) => asked?,
        _ = session.over() => return None,
    };
    // From here on the client may stop polling. So the session may end, but the client will hear of
    // it over the websocket: it has to come this far.
    let confirm = async {
        writer.push(&[Packet::text(&["3probe"])]);
        writer.flush().await.ok()?;
        session.polling.probed();
        expect(&mut reader, &mut writer, b"5").await
    };
    let confirmed = tokio::select! {
        confirmed = confirm => confirmed,
        () = overdue(session) => None,
    };
    confirmed.map(|()| (reader, writer))
}

async fn asked(session: &Session, websocket: OnUpgrade) -> Option<(Reader, Writer)> {
    let websocket = websocket.await.ok()?;
    let (mut reader, mut writer) = websocket::split(websocket, session.config.max_payload);
    expect(&mut reader, &mut writer, b"2probe").await?;
    Some((reader, writer))
}

async fn overdue(session: &Session) {
    session.over().await;
    sleep(FAREWELL).await;
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
