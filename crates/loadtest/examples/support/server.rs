//! A server that is measured from outside.

#![allow(dead_code, reason = "each example uses a part of it")]

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// Stopped when dropped.
pub(crate) struct Server {
    child: Child,
    address: String,
}

impl Server {
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub(crate) fn start(program: &str, root: &Path) -> Outcome<Server> {
        let mut child = Command::new(program)
            .args(["--ip", "127.0.0.1", "--port", "0", "--root"])
            .arg(root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("no standard output")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let (_, url) = line.trim_end().split_once("open ").ok_or("no ready line")?;
        let address = url.trim_start_matches("http://").trim_end_matches('/');
        Ok(Server {
            child,
            address: address.to_owned(),
        })
    }

    /// A line of `/proc/<pid>/status`, in KiB.
    pub(crate) fn memory(&self, name: &str) -> Outcome<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_whitespace().nth(1));
        Ok(value.ok_or("no such line")?.parse()?)
    }

    /// How often its threads have waited for something so far, which each of them woke up from.
    pub(crate) fn wakeups(&self) -> Outcome<u64> {
        let mut all = 0;
        for thread in std::fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let status = std::fs::read_to_string(thread?.path().join("status"))?;
            let count = status
                .lines()
                .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            all += count.ok_or("no count")?.trim().parse::<u64>()?;
        }
        Ok(all)
    }

    /// How long processors have worked for the server so far.
    pub(crate) fn processor_seconds(&self) -> Outcome<f64> {
        // The name of the program, in brackets, may contain anything.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let (_, fields) = stat.rsplit_once(") ").ok_or("no fields")?;
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
        // Linux has counted in hundredths for programs since long ago.
        Ok(ticks as f64 / 100.0)
    }

    /// The bytes of an answer, which are not kept.
    pub(crate) fn get(&self, path: &str) -> Outcome<u64> {
        let mut stream = TcpStream::connect(&self.address)?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.address
        )?;
        let mut answer = BufReader::new(stream);
        let mut status = String::new();
        answer.read_line(&mut status)?;
        if !status.contains(" 200 ") {
            return Err(format!("{path}: {status}").into());
        }
        Ok(std::io::copy(&mut answer.by_ref(), &mut std::io::sink())?)
    }

    /// Imports a file into a pad, and gives the status of the answer.
    pub(crate) fn import(&self, pad: &str, name: &str, content: &[u8]) -> Outcome<String> {
        let part = format!(
            "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
        );
        let end = "\r\n--b--\r\n";
        let mut stream = TcpStream::connect(&self.address)?;
        write!(
            stream,
            "POST /p/{pad}/import HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n{part}",
            self.address,
            part.len() + content.len() + end.len()
        )?;
        stream.write_all(content)?;
        stream.write_all(end.as_bytes())?;
        let mut status = String::new();
        BufReader::new(stream).read_line(&mut status)?;
        let status = status.split_whitespace().nth(1);
        Ok(status.ok_or("no status")?.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
