//! The API as others use it: public client libraries, a validator of OpenAPI documents, and a
//! tester that makes calls up. They are in `tests/clients` and talk to a server on 127.0.0.1.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::npm;
use crate::project::Project;
use crate::shell::Log;
use crate::test::server::Server;

/// Functions that are switched off by default have to be reachable too. The secrets have letters in
/// them that a header has to escape; the hash is of "correct horse".
const SETTINGS: &str = r#"{
  "gdprAuthorErasure": { "enabled": true },
  "cleanup": { "enabled": true },
  "importExportRateLimiting": { "max": 1000 },
  "sso": [
    { "client_id": "app", "client_secret": "the app's secret: +&%",
      "grant_types": ["authorization_code"], "response_types": ["code"],
      "redirect_uris": ["http://127.0.0.1:9/back"] },
    { "client_id": "public", "grant_types": ["authorization_code"], "response_types": ["code"],
      "redirect_uris": ["http://127.0.0.1:9/back"] },
    { "client_id": "robot", "client_secret": "the robot's secret: +&%",
      "grant_types": ["client_credentials"], "response_types": [], "redirect_uris": [],
      "extraParams": [{ "name": "admin", "value": "true" }] }
  ],
  "users": {
    "ada": { "password": "horse" },
    "root": {
      "password": "$2b$04$DS.suv2d2awEe2mEPl5lheEsK4ohWxrMn3u3vH7qQYU24sYFCYkp.",
      "is_admin": true
    }
  }
}"#;

/// The client libraries and the validator.
pub fn test_libraries(project: &Project, log: &mut Log) -> Result<()> {
    let tools = Tools::install(project, log)?;
    let server = Server::start(project, "clients", SETTINGS)?;
    let mut node = project.command("npm test --silent");
    node.current_dir(&tools.folder);
    let mut python = tools.python("python -m unittest discover");
    python.current_dir(&tools.folder);
    let node = log.run(about(node, &server)?);
    let python = log.run(about(python, &server)?);
    node.and(python).map(drop)
}

/// Generated calls for this many seconds, each answer held against the OpenAPI document.
pub fn test_properties(project: &Project, log: &mut Log, seconds: u32) -> Result<()> {
    let tools = Tools::install(project, log)?;
    let server = Server::start(project, "clients", SETTINGS)?;
    let report = properties_report(project);
    // An old report must not be taken for the one of a run that never got that far.
    let _ = std::fs::remove_file(&report);
    let mut tester = tools.python("schemathesis");
    tester
        .env("SCHEMATHESIS_HOOKS", tools.folder.join("real_ids.py"))
        // It leaves notes where it runs.
        .current_dir(project.scratch())
        .arg("--config-file")
        .arg(tools.folder.join("schemathesis.toml"))
        .args(["run", &format!("{}api/openapi.json", server.url)])
        .args(["--max-time", &seconds.to_string()])
        .arg("--report-json-path")
        .arg(report);
    log.run(about(tester, &server)?).map(drop)
}

/// Where [`test_properties`] leaves its numbers.
pub fn properties_report(project: &Project) -> PathBuf {
    project.scratch().join("schemathesis.json")
}

/// The command, told which server it is about.
fn about(mut command: Command, server: &Server) -> Result<Command> {
    command
        .env("PADSVC_URL", &server.url)
        .env("PADSVC_APIKEY", server.api_key()?);
    Ok(command)
}

/// The packages that the tests use.
struct Tools {
    folder: PathBuf,
    environment: PathBuf,
}

impl Tools {
    /// Installs what is missing or no longer what the lock files say.
    fn install(project: &Project, log: &mut Log) -> Result<Self> {
        let tools = Self {
            folder: project.root.join("tests/clients"),
            environment: project.scratch().join("python"),
        };
        npm::install_if_stale(&tools.folder)?;
        let wanted = read(&tools.folder.join("requirements.txt"))?;
        // Written last, so it stands for a complete installation.
        let stamp = tools.environment.join("requirements.txt");
        if read(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(tools);
        }
        let mut create = project.command("python3 -m venv --clear");
        create.arg(&tools.environment);
        log.run(create)?;
        let mut install = tools.python("pip install --quiet --disable-pip-version-check");
        install
            .arg("--requirement")
            .arg(tools.folder.join("requirements.txt"));
        log.run(install)?;
        std::fs::write(&stamp, wanted).map_err(Failure::at(&stamp))?;
        Ok(tools)
    }

    /// A program of the Python environment: `program argument argument…`.
    fn python(&self, line: &str) -> Command {
        let mut words = line.split_whitespace();
        let program = words.next().unwrap_or_default();
        let mut command = Command::new(self.environment.join("bin").join(program));
        // Compiled modules would lie beside their sources in the tree.
        command.args(words).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(Failure::at(path))
}
