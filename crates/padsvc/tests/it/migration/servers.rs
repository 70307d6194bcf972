//! Private database servers, each in a folder of its own.
//!
//! A shell holds the server. It waits for the end of this process, however it ends, and then stops
//! the server and removes the folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub(super) struct Held {
    pub folder: PathBuf,
    /// Its standard input ends when this process does.
    shell: Child,
}

impl Held {
    fn start(
        name: &str,
        prepare: impl FnOnce(&Path),
        command: impl FnOnce(&Path) -> String,
    ) -> Held {
        // Short, because the name of a socket must be.
        let folder = std::env::temp_dir().join(format!("padsvc-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        prepare(&folder);
        let script =
            "$2 >\"$1/log\" 2>&1 & server=$!; read _; kill -9 $server; wait; rm -rf \"$1\"";
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script, "holder"])
            .arg(&folder)
            .arg(command(&folder));
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Held {
            shell: shell.spawn().unwrap(),
            folder,
        }
    }

    /// Waits until the server answers a client.
    fn until(&mut self, mut answers: impl FnMut(&Path) -> bool) {
        while !answers(&self.folder) {
            let ended = self.shell.try_wait().unwrap();
            let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(ended.is_none() && !log.contains("Aborting"), "{log}");
            std::thread::yield_now();
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

pub(super) struct MariaDb(Held);

impl MariaDb {
    pub(super) fn start() -> MariaDb {
        let prepare = |folder: &Path| {
            let data = format!("--datadir={}", folder.join("data").display());
            let mut install = Command::new("mariadb-install-db");
            install.args(["--no-defaults", "--auth-root-authentication-method=normal"]);
            install.args(["--skip-test-db", &data, &user()]);
            success(&mut install, "MariaDB");
            if is_root() {
                success(Command::new("chown").arg("mysql").arg(folder), "MariaDB");
            }
        };
        let command = |folder: &Path| {
            let (at, user) = (folder.display(), user());
            // What a Latin-1 server would say to a client that does not ask for UTF-8.
            format!(
                "mariadbd --no-defaults --datadir={at}/data --socket={at}/socket --skip-networking \
                 --pid-file={at}/pid --innodb-flush-log-at-trx-commit=0 {user} \
                 --character-set-server=utf8mb4"
            )
        };
        let mut held = Held::start("my", prepare, command);
        held.until(|folder| {
            let mut ping = client(folder, "mariadb-admin");
            ping.arg("ping")
                .output()
                .is_ok_and(|output| output.status.success())
        });
        MariaDb(held)
    }

    /// Fills a new database from a dump.
    pub(super) fn load(&self, database: &str, dump: &[u8]) {
        let create = format!("CREATE DATABASE {database} CHARACTER SET utf8mb4");
        success(
            client(&self.0.folder, "mariadb").args(["-e", &create]),
            "MariaDB",
        );
        let file = self.0.folder.join("dump.sql");
        std::fs::write(&file, dump).unwrap();
        let mut load = client(&self.0.folder, "mariadb");
        load.args(["--default-character-set=utf8mb4", database]);
        load.stdin(std::fs::File::open(file).unwrap());
        success(&mut load, "MariaDB");
    }

    pub(super) fn address(&self, database: &str) -> String {
        let socket = self.0.folder.join("socket");
        let socket = socket.display().to_string().replace('/', "%2F");
        format!("mysql://root@localhost/{database}?socket={socket}")
    }

    /// What the client writes that the documentation once recommended.
    pub(super) fn batch(&self, database: &str, charset: &str) -> Vec<u8> {
        let mut batch = client(&self.0.folder, "mariadb");
        batch.arg(format!("--default-character-set={charset}"));
        batch.args([
            "--batch",
            "--skip-column-names",
            "-e",
            "SELECT * FROM store",
            database,
        ]);
        batch.output().unwrap().stdout
    }
}

fn user() -> String {
    if is_root() {
        "--user=mysql".to_owned()
    } else {
        String::new()
    }
}

fn client(folder: &Path, program: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["--no-defaults", "--user=root"]);
    command.arg(format!("--socket={}", folder.join("socket").display()));
    command.stdin(Stdio::null());
    command
}

pub(super) struct Redis {
    _held: Held,
    pub port: u16,
}

impl Redis {
    pub(super) fn start(snapshot: &[u8]) -> Redis {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let prepare = |folder: &Path| std::fs::write(folder.join("dump.rdb"), snapshot).unwrap();
        let command = |folder: &Path| {
            format!(
                "redis-server --dir {} --bind 127.0.0.1 --port {port} --save ",
                folder.display()
            )
        };
        let mut held = Held::start("redis", prepare, command);
        held.until(|_| {
            let mut ping = Command::new("redis-cli");
            ping.args(["-p", &port.to_string(), "ping"]);
            ping.output()
                .is_ok_and(|output| output.stdout.starts_with(b"PONG"))
        });
        Redis { _held: held, port }
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

fn success(command: &mut Command, server: &str) {
    let output = command.output();
    let output = output.unwrap_or_else(|error| {
        panic!("{server} is not installed ({error}); `cargo xtask test tools` installs it")
    });
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {told}");
}
