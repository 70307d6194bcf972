//! A mail server: it takes mail over TLS from those who know the password, and shows it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::update::installation::PATIENCE;

/// When a connection is encrypted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encryption {
    /// When the client asks for it, which it must before it says who it is.
    Later,
    FromTheStart,
}

pub(crate) struct MailServer {
    pub port: u16,
    mails: Arc<Mutex<Vec<String>>>,
}

const USER: &str = "padsvc";
const PASSWORD: &str = "correct horse";

impl MailServer {
    /// Writes its certificate to a file, for those who are to trust it.
    pub(crate) fn start(encryption: Encryption, certificate: &Path) -> MailServer {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(certificate, made.cert.pem()).unwrap();
        let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = MailServer {
            port: listener.local_addr().unwrap().port(),
            mails: Arc::default(),
        };
        let mails = Arc::clone(&server.mails);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = serve(stream, &config, encryption, &mails);
            }
        });
        server
    }

    pub(crate) fn mails(&self) -> Vec<String> {
        self.mails.lock().unwrap().clone()
    }

    /// The settings of somebody who sends mail through it.
    pub(crate) fn settings(&self, encryption: Encryption) -> serde_json::Value {
        serde_json::json!({
            "host": "localhost",
            "port": self.port,
            "secure": encryption == Encryption::FromTheStart,
            "from": "padsvc@example.org",
            "auth": { "user": USER, "pass": PASSWORD },
        })
    }
}

fn serve(
    stream: TcpStream,
    config: &Arc<ServerConfig>,
    encryption: Encryption,
    mails: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let encrypt = |stream| {
        let connection = ServerConnection::new(Arc::clone(config)).unwrap();
        StreamOwned::new(connection, stream)
    };
    if encryption == Encryption::Later {
        let mut reader = BufReader::new(stream);
        say(&mut reader, "220 here")?;
        loop {
            match line(&mut reader)?.to_uppercase().as_str() {
                hello if hello.starts_with("EHLO") => {
                    say(&mut reader, "250-here")?;
                    say(&mut reader, "250 STARTTLS")?;
                }
                "STARTTLS" => break,
                // Nothing is taken in the clear.
                _ => return say(&mut reader, "530 encrypt first"),
            }
        }
        say(&mut reader, "220 go ahead")?;
        return talk(BufReader::new(encrypt(reader.into_inner())), mails);
    }
    let mut reader = BufReader::new(encrypt(stream));
    say(&mut reader, "220 here")?;
    talk(reader, mails)
}

fn talk(
    mut reader: BufReader<impl Read + Write>,
    mails: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let secret = STANDARD.encode(format!("\0{USER}\0{PASSWORD}"));
    let mut is_known = false;
    loop {
        let line = line(&mut reader)?;
        let word: String = line.chars().take(4).collect::<String>().to_uppercase();
        match word.as_str() {
            "EHLO" => {
                say(&mut reader, "250-here")?;
                say(&mut reader, "250 AUTH PLAIN")?;
            }
            "AUTH" if line == format!("AUTH PLAIN {secret}") => {
                is_known = true;
                say(&mut reader, "235 welcome")?;
            }
            "AUTH" => say(&mut reader, "535 no")?,
            "MAIL" | "RCPT" if is_known => say(&mut reader, "250 fine")?,
            "DATA" if is_known => {
                say(&mut reader, "354 go on")?;
                let mail = whole(&mut reader)?;
                mails.lock().unwrap().push(mail);
                say(&mut reader, "250 taken")?;
            }
            "QUIT" => return say(&mut reader, "221 bye"),
            _ => say(&mut reader, "530 who are you")?,
        }
    }
}

fn whole(reader: &mut impl BufRead) -> std::io::Result<String> {
    let mut mail = String::new();
    loop {
        let line = line(reader)?;
        if line == "." {
            return Ok(mail);
        }
        mail += &line;
        mail.push('\n');
    }
}

fn line(reader: &mut impl BufRead) -> std::io::Result<String> {
    let mut line = String::new();
    match reader.read_line(&mut line)? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(line.trim_end().to_owned()),
    }
}

fn say(reader: &mut BufReader<impl Read + Write>, text: &str) -> std::io::Result<()> {
    let stream = reader.get_mut();
    stream.write_all(format!("{text}\r\n").as_bytes())?;
    stream.flush()
}
