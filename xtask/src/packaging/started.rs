//! A packaged program that runs, and what has to hold of it: it becomes healthy, answers with what
//! the environment says, and ends well when asked to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::Result;
use crate::shell::{self, Log};

const PATIENCE: Duration = Duration::from_secs(300);
const TITLE: &str = "From the environment";

/// What is set in the environment, as `docker run -e` would: the address because tests stay on
/// this machine, a free port, a feed that nobody has, and something to be recognised by.
pub const SETTINGS: &[(&str, &str)] = &[
    ("IP", "127.0.0.1"),
    ("PORT", "0"),
    ("TITLE", TITLE),
    ("LOGLEVEL", "WARN"),
    ("EP__updates__codehostRepo", "https://127.0.0.1:1/no-feed"),
];

/// Starts `serve`, asks `health` until all is well, looks at the pages, and ends it.
pub fn try_out(
    mut serve: Command,
    health: impl Fn() -> Result<Command>,
    stop_signal: &str,
    log: &mut Log,
) -> Result<()> {
    serve.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = serve
        .spawn()
        .map_err(|error| format!("{serve:?}: {error}"))?;
    let mut running = Running(child);
    let mut line = String::new();
    if let Some(output) = running.0.stdout.take() {
        let _ = BufReader::new(output).read_line(&mut line);
    }
    log.line(line.trim_end());
    let address = line
        .trim_end()
        .split_once("http://")
        .map(|(_, address)| address.trim_end_matches('/'))
        .ok_or("it does not say where to open it")?;
    until_healthy(health, log)?;
    let about = get(address, "/health")?;
    log.line(about.lines().last().unwrap_or_default());
    is_in(&about, "\"status\":\"pass\"")?;
    is_in(&get(address, "/")?, &format!("<title>{TITLE}"))?;

    let mut kill = Command::new("kill");
    kill.args(["-s", stop_signal.trim_start_matches("SIG")]);
    kill.arg(running.0.id().to_string());
    log.run(kill)?;
    let status = running.0.wait()?;
    log.line(&format!("{stop_signal}: {status}"));
    match status.success() {
        true => Ok(()),
        false => Err(format!("it does not end well: {status}").into()),
    }
}

fn until_healthy(health: impl Fn() -> Result<Command>, log: &mut Log) -> Result<()> {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(said) = shell::capture(health()?) {
            log.line(said.trim_end());
            return Ok(());
        }
        if Instant::now() > end {
            return Err("it does not become healthy".into());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn get(address: &str, path: &str) -> Result<String> {
    let exchange = || {
        let mut stream = TcpStream::connect(address)?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok::<_, std::io::Error>(answer)
    };
    Ok(exchange().map_err(|error| format!("GET {path}: {error}"))?)
}

fn is_in(answer: &str, part: &str) -> Result<()> {
    match answer.starts_with("HTTP/1.1 200 ") && answer.contains(part) {
        true => Ok(()),
        false => Err(format!("{part} is not in the answer:\n{answer}").into()),
    }
}

/// Does not outlive a check that fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
