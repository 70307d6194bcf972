//! A private PostgreSQL server for the tests.
//!
//! It is started once for the test program, in a folder of its own, with a socket there and no
//! port. A shell waits for the end of the test program, however it ends, and then stops the server
//! and removes the folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Location;

pub(super) struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    /// The name of its socket ends in it.
    port: u16,
    /// Where it listens besides, and how.
    options: String,
    /// Whether it waits for the disk at each commit.
    fsync: bool,
    /// Its standard input ends when this process does.
    _watchdog: Child,
}

impl Cluster {
    /// The server that all tests share. `None`: the tests are to go without.
    ///
    /// No test kills it, so it does not wait for the disk: thousands of commits in a row would take
    /// minutes on a machine whose disk is busy.
    pub(super) fn shared() -> Option<&'static Cluster> {
        static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
        SHARED.get_or_init(|| Cluster::local(false)).as_ref()
    }

    /// A server that only one test has, so that it may be mistreated.
    pub(super) fn wanted() -> Option<Cluster> {
        Cluster::local(true)
    }

    fn local(fsync: bool) -> Option<Cluster> {
        if Cluster::is_unwanted() {
            return None;
        }
        Some(Cluster::start(5432, fsync, |_| "-h ''".to_owned()))
    }

    /// A server that also listens on a port of this machine, where it encrypts.
    #[allow(dead_code, reason = "for the tests of the program")]
    pub(super) fn encrypted(port: u16, certificate: &str, key: &str) -> Option<Cluster> {
        if Cluster::is_unwanted() {
            return None;
        }
        Some(Cluster::start(port, true, |data| {
            for (name, content) in [("server.crt", certificate), ("server.key", key)] {
                let file = data.join(name);
                std::fs::write(&file, content).unwrap();
                run(Command::new("chmod").arg("600").arg(&file));
                if is_root() {
                    run(Command::new("chown").arg("postgres").arg(&file));
                }
            }
            "-h 127.0.0.1 -c ssl=on".to_owned()
        }))
    }

    fn is_unwanted() -> bool {
        std::env::var_os("PADSVC_SKIP_POSTGRES").is_some_and(|value| value == "1")
    }

    /// What listens where is said once there is a folder for its data.
    fn start(port: u16, fsync: bool, options: impl FnOnce(&Path) -> String) -> Cluster {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let programs = programs().expect(
            "PostgreSQL is not installed (initdb is neither on PATH nor in \
             /usr/lib/postgresql/*/bin); `cargo xtask test tools` installs it, and \
             PADSVC_SKIP_POSTGRES=1 goes without",
        );
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // Short, because the name of a socket must be.
        let name = format!("padsvc-pg-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(&folder));
        }
        let data = folder.join("data");
        let mut initdb = unprivileged(&programs.join("initdb"));
        initdb.arg("-D").arg(&data);
        initdb.args([
            "--auth=trust",
            "--username=padsvc",
            "--encoding=UTF8",
            "--locale=C",
        ]);
        run(initdb.args(["--no-sync"]));
        let watchdog = watch(&programs, &folder);
        let cluster = Cluster {
            port,
            options: options(&data),
            fsync,
            folder,
            programs,
            _watchdog: watchdog,
        };
        cluster.control(&["start"]);
        cluster
    }

    /// Stops the server without letting it finish anything, and starts it again.
    pub(super) fn crash_and_restart(&self) {
        self.control(&["stop", "-m", "immediate"]);
        self.control(&["start"]);
    }

    /// A server that copies this one. What this one commits from now on is on both.
    #[allow(dead_code, reason = "for the tests of the program")]
    pub(super) fn standby(&self) -> Cluster {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("padsvc-sb-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(&folder));
        }
        let mut copy = unprivileged(&self.programs.join("pg_basebackup"));
        copy.arg("-h").arg(&self.folder);
        copy.args(["-p", &self.port.to_string(), "-U", "padsvc", "-R", "-D"]);
        run(copy.arg(folder.join("data")).args(["--checkpoint=fast"]));
        let standby = Cluster {
            port: self.port,
            options: self.options.clone(),
            fsync: self.fsync,
            _watchdog: watch(&self.programs, &folder),
            folder,
            programs: self.programs.clone(),
        };
        standby.control(&["start"]);
        self.execute(
            "postgres",
            "ALTER SYSTEM SET synchronous_standby_names = '*'",
        );
        self.execute("postgres", "SELECT pg_reload_conf()");
        standby
    }

    /// Makes a standby the server that takes changes.
    #[allow(dead_code, reason = "for the tests of the program")]
    pub(super) fn promote(&self) {
        self.control(&["promote"]);
    }

    /// Stops the server without letting it finish anything.
    #[allow(dead_code, reason = "for the tests of the program")]
    pub(super) fn crash(&self) {
        self.control(&["stop", "-m", "immediate"]);
    }

    /// The folder with its socket, and the number that the socket's name ends in.
    #[allow(dead_code, reason = "for the tests of the program")]
    pub(super) fn socket(&self) -> (&Path, u16) {
        (&self.folder, self.port)
    }

    /// Kills the process of a session that is writing. The server then ends all others, too, and
    /// recovers.
    pub(super) fn kill_a_session(&self) {
        let find = "SELECT pid FROM pg_stat_activity
            WHERE application_name = 'padsvc' AND query LIKE '%COMMIT%' LIMIT 1";
        let mut psql = unprivileged(&self.programs.join("psql"));
        psql.args(["-At", "-h"]).arg(&self.folder);
        psql.args(["-p", &self.port.to_string()]);
        psql.args(["-U", "padsvc", "-d", "postgres", "-c", find]);
        let found = psql.output().unwrap();
        let session = String::from_utf8(found.stdout).unwrap();
        run(Command::new("kill").arg("-9").arg(session.trim()));
    }

    fn control(&self, arguments: &[&str]) {
        let mut control = unprivileged(&self.programs.join("pg_ctl"));
        control
            .arg("-D")
            .arg(self.folder.join("data"))
            .args(["-w", "-s", "-t", "600"]);
        control.arg("-l").arg(self.folder.join("log"));
        let (folder, port, fsync) = (self.folder.display(), self.port, self.fsync);
        let options = format!("{} -p {port} -k '{folder}' -c fsync={fsync}", self.options);
        run(control.arg("-o").arg(options).args(arguments));
    }

    /// A database of its own for each caller.
    pub(super) fn database(&self) -> Location {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("pads{}", COUNT.fetch_add(1, Ordering::Relaxed));
        // Not the order of "C", so that it shows where ours is not asked for.
        let locale = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
        self.execute("postgres", &format!("CREATE DATABASE {name} {locale}"));
        Location::Postgres(self.connection(&name))
    }

    pub(super) fn execute(&self, database: &str, sql: &str) {
        let connection = self.connection(database);
        let run = || {
            let mut client = postgres::Client::connect(&connection, postgres::NoTls).unwrap();
            client.batch_execute(sql).unwrap();
        };
        // The driver waits in its own way, which a test's thread does not allow.
        std::thread::scope(|scope| scope.spawn(run).join()).unwrap();
    }

    /// Runs a script of the client, such as a dump.
    #[allow(dead_code, reason = "for the tests of the program")]
    pub(super) fn load(&self, database: &str, script: &[u8]) {
        let file = self.folder.join(format!("{database}.sql"));
        std::fs::write(&file, script).unwrap();
        let mut psql = unprivileged(&self.programs.join("psql"));
        psql.args(["-q", "-v", "ON_ERROR_STOP=1", "-h"])
            .arg(&self.folder);
        psql.args(["-p", &self.port.to_string(), "-U", "padsvc", "-d", database]);
        run(psql.arg("-f").arg(&file));
    }

    /// The same as [`Cluster::connection`], as an address.
    #[allow(dead_code, reason = "for the tests of the program")]
    pub(super) fn address(&self, database: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://padsvc@{folder}:{}/{database}", self.port)
    }

    fn connection(&self, database: &str) -> String {
        let (folder, port) = (self.folder.display(), self.port);
        format!("host='{folder}' port={port} user=padsvc dbname={database}")
    }
}

fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let packaged = versions.flatten().map(|version| version.path().join("bin"));
    let mut folders = std::env::split_paths(&path).chain(packaged);
    let folder = folders.find(|folder| folder.join("initdb").is_file())?;
    // What is on the path may be a link to where its neighbours are.
    let initdb = std::fs::canonicalize(folder.join("initdb")).ok()?;
    initdb.parent().map(Path::to_owned)
}

fn is_root() -> bool {
    let status = Command::new("id").arg("-u").output().unwrap();
    status.stdout.trim_ascii() == b"0"
}

/// The server refuses to run as root; its package brings a user for it.
fn unprivileged(program: &Path) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/");
    command
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {told}");
}

/// A process that waits for this one to end.
fn watch(programs: &Path, folder: &Path) -> Child {
    let stop = unprivileged(&programs.join("pg_ctl"));
    let words: Vec<OsString> = std::iter::once(stop.get_program())
        .chain(stop.get_args())
        .map(|word| word.to_owned())
        .collect();
    let mut command = Command::new("sh");
    command.arg("-c");
    command.arg(
        "read _; folder=$1; shift; \
         \"$@\" -D \"$folder/data\" -m immediate stop; rm -rf \"$folder\"",
    );
    command.arg("watchdog").arg(folder).args(words);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.current_dir("/").spawn().unwrap()
}
