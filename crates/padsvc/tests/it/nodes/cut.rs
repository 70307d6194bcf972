//! A path to a PostgreSQL server that can be cut: then nothing gets through in either direction,
//! and nobody learns of it.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

pub(super) struct Cable {
    pub port: u16,
    is_cut: Arc<(Mutex<bool>, Condvar)>,
}

impl Cable {
    /// To the socket of a server.
    pub(super) fn to(socket: &Path) -> Cable {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_cut = Arc::new((Mutex::new(false), Condvar::new()));
        let (gate, socket) = (Arc::clone(&is_cut), socket.to_owned());
        thread::spawn(move || accept(&listener, &socket, &gate));
        Cable { port, is_cut }
    }

    pub(super) fn cut(&self) {
        *self.is_cut.0.lock().unwrap() = true;
    }

    pub(super) fn repair(&self) {
        *self.is_cut.0.lock().unwrap() = false;
        self.is_cut.1.notify_all();
    }
}

type Gate = Arc<(Mutex<bool>, Condvar)>;

fn accept(listener: &TcpListener, socket: &Path, gate: &Gate) {
    for client in listener.incoming().flatten() {
        let (socket, gate) = (socket.to_owned(), Arc::clone(gate));
        thread::spawn(move || {
            pass(&gate);
            let Ok(server) = UnixStream::connect(&socket) else {
                return;
            };
            let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let back = Arc::clone(&gate);
            thread::spawn(move || {
                forward(from, &to, &gate);
                let _ = to.shutdown(Shutdown::Both);
            });
            forward(server, &client, &back);
            let _ = client.shutdown(Shutdown::Both);
        });
    }
}

fn forward<T>(mut from: impl Read, mut to: &T, gate: &Gate)
where
    for<'a> &'a T: Write,
{
    let mut part = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut part) {
        pass(gate);
        if to.write_all(&part[..count]).is_err() {
            return;
        }
    }
    // An end does not get through either.
    pass(gate);
}

/// Waits while the cable is cut.
fn pass(gate: &Gate) {
    let is_cut = gate.0.lock().unwrap();
    drop(gate.1.wait_while(is_cut, |is_cut| *is_cut).unwrap());
}
