//! git, as updates use it: never asking anybody, never running hooks, never tidying up by itself.

use std::time::Duration;

use thiserror::Error;

use super::command::{Command, Failure, Shell};

const QUICK: Duration = Duration::from_secs(60);
const FETCH: Duration = Duration::from_secs(5 * 60);
const ASK: Duration = Duration::from_secs(30);

/// Options before the command.
const QUIET: [&str; 10] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "advice.detachedHead=false",
];

#[derive(Clone, Copy)]
pub(crate) struct Git<'a>(pub Shell<'a>);

/// A tag of the origin, as it was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fetched {
    /// The tag itself, which may be signed; the commit, if it is a plain one.
    pub object: String,
    pub commit: String,
}

/// Why a tag is not taken for a signed one.
#[derive(Debug, Error)]
pub(crate) enum VerifyError {
    #[error(transparent)]
    Git(#[from] Failure),
    #[error("the signature is that of another tag")]
    OtherTag,
}

impl Git<'_> {
    fn git(&self, arguments: &[&str], limit: Duration) -> Command<'_> {
        let arguments = [&QUIET[..], arguments].concat();
        let command = self.0.command("git", &arguments, limit);
        let command = command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "/bin/false");
        let foreign = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];
        let command = foreign
            .into_iter()
            .fold(command, |command, name| command.without(name));
        #[expect(clippy::disallowed_methods, reason = "a variable of git, not of ours")]
        let is_set = std::env::var_os("GIT_SSH_COMMAND").is_some();
        if is_set {
            command
        } else {
            command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
        }
    }

    pub(crate) async fn head(&self) -> Result<String, Failure> {
        self.commit_of("HEAD").await
    }

    async fn commit_of(&self, name: &str) -> Result<String, Failure> {
        let name = format!("{name}^{{commit}}");
        let printed = self
            .git(&["rev-parse", "--verify", &name], QUICK)
            .run()
            .await?;
        Ok(printed.trim().to_owned())
    }

    /// What is not as it was committed. What the service itself keeps in its root does not count.
    pub(crate) async fn changes(&self) -> Result<Vec<String>, Failure> {
        let arguments = [
            "status",
            "--porcelain",
            "--",
            ".",
            ":(exclude)var",
            ":(exclude)settings.json",
            ":(exclude)APIKEY.txt",
        ];
        let printed = self.git(&arguments, QUICK).run().await?;
        Ok(printed.lines().map(|line| line.trim().to_owned()).collect())
    }

    /// Whether the origin has the tag; the failure if that cannot be found out.
    pub(crate) async fn has_remote_tag(&self, tag: &str) -> Result<bool, Failure> {
        let name = format!("refs/tags/{tag}");
        let arguments = ["ls-remote", "--exit-code", "origin", &name];
        match self.git(&arguments, ASK).run().await {
            Ok(_) => Ok(true),
            Err(Failure { code: Some(2), .. }) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// Fetches one tag under a name of our own, which touches neither branches nor tags.
    pub(crate) async fn fetch(&self, tag: &str) -> Result<Fetched, Failure> {
        let name = format!("refs/update/{tag}");
        let what = format!("+refs/tags/{tag}:{name}");
        let arguments = [
            "fetch",
            "--no-tags",
            "--no-write-fetch-head",
            "origin",
            &what,
        ];
        self.git(&arguments, FETCH).run().await?;
        let object = self
            .git(&["rev-parse", "--verify", &name], QUICK)
            .run()
            .await?;
        Ok(Fetched {
            object: object.trim().to_owned(),
            commit: self.commit_of(&name).await?,
        })
    }

    /// Whether the tag is signed by a key of the keyring, under the name it was fetched by: a good
    /// signature of another tag is none of this one.
    pub(crate) async fn verify(
        &self,
        tag: &str,
        fetched: &Fetched,
        keyring: Option<&str>,
    ) -> Result<(), VerifyError> {
        let command = self.git(&["verify-tag", "--", &fetched.object], QUICK);
        let command = match keyring {
            Some(folder) => command.env("GNUPGHOME", folder),
            None => command,
        };
        command.run().await?;
        let shown = self.git(&["cat-file", "tag", &fetched.object], QUICK).run();
        let shown = shown.await?;
        let signed = shown.lines().find_map(|line| line.strip_prefix("tag "));
        match signed {
            Some(name) if name == tag => Ok(()),
            _ => Err(VerifyError::OtherTag),
        }
    }

    /// Reads a file as it is in a commit.
    pub(crate) async fn read_file(&self, commit: &str, path: &str) -> Result<String, Failure> {
        self.git(&["show", &format!("{commit}:{path}")], QUICK)
            .run()
            .await
    }

    pub(crate) async fn check_out(&self, commit: &str) -> Result<(), Failure> {
        let arguments = ["checkout", "--detach", commit, "--"];
        self.git(&arguments, QUICK).run().await.map(drop)
    }

    /// Whatever is in the way goes.
    pub(crate) async fn force_back(&self, commit: &str) -> Result<(), Failure> {
        // A git that was killed leaves this behind, and no other would start.
        let _ = std::fs::remove_file(self.0.places.root.join(".git/index.lock"));
        let _ = std::fs::remove_file(self.0.places.root.join(".git/HEAD.lock"));
        let arguments = ["checkout", "--force", "--detach", commit, "--"];
        self.git(&arguments, QUICK).run().await.map(drop)
    }
}
