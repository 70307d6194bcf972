//! The program that is measured: started on a folder of its own, stopped at the end.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::Result;
use crate::client::Connection;

pub(crate) struct Server {
    child: Child,
    pub address: String,
    key: String,
}

impl Server {
    pub(crate) fn start(program: &Path, folder: &Path) -> Result<Server> {
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder)?;
        let mut child = on_processor("0", program)
            .args(["--port", "0", "--root"])
            .arg(folder)
            .env_remove("PORT")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.join("log"))?)
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line
            .trim_end()
            .strip_prefix("padsvc is ready: open http://")
            .ok_or("the server did not start; its log is in the folder")?;
        let address = address.trim_end_matches('/').to_owned();
        let key = std::fs::read_to_string(folder.join("APIKEY.txt"))?;
        Ok(Server {
            child,
            address,
            key,
        })
    }

    pub(crate) fn get(&self, target: &str) -> Vec<u8> {
        let key = &self.key;
        format!("GET {target} HTTP/1.1\r\nhost: pads\r\napikey: {key}\r\n\r\n").into_bytes()
    }

    pub(crate) fn post(&self, function: &str, arguments: &Value) -> Vec<u8> {
        let (key, body) = (&self.key, arguments.to_string());
        format!(
            "POST /api/1.3.1/{function} HTTP/1.1\r\nhost: pads\r\napikey: {key}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }

    pub(crate) async fn call(&self, function: &str, arguments: &Value) -> Result<Value> {
        let mut connection = Connection::open(&self.address).await?;
        connection.call(&self.post(function, arguments)).await
    }

    /// How long processors have worked for the server so far.
    pub(crate) fn processor_seconds(&self) -> Result<f64> {
        // The name of the program, in brackets, may contain anything.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let (_, fields) = stat.rsplit_once(") ").ok_or("no fields")?;
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
        // Linux has counted in hundredths for programs since long ago.
        Ok(ticks as f64 / 100.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command bound to one processor, where that is possible.
fn on_processor(number: &str, program: &Path) -> Command {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let can_bind = Command::new("taskset")
        .args(["-c", "-p", &std::process::id().to_string()])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if processors < 2 || !can_bind {
        return Command::new(program);
    }
    // The generator takes the other one.
    let _ = Command::new("taskset")
        .args(["-c", "-p", "1", &std::process::id().to_string()])
        .stdout(Stdio::null())
        .status();
    let mut command = Command::new("taskset");
    command.args(["-c", number]).arg(program);
    command
}
