//! Keys that all nodes need. Only the caller can decrypt them; here they are bytes.

use crate::engine::Turn;
use crate::error::Error;
use crate::sql::{Failure, Tx, damaged};
use crate::{Location, Store};

impl Location {
    /// The password of the database server, which a dump of the database does not hold.
    pub fn password(&self) -> Option<Vec<u8>> {
        let Location::Postgres(connection) = self else {
            return None;
        };
        let config = connection.parse::<postgres::Config>().ok()?;
        let password = config.get_password()?;
        (!password.is_empty()).then(|| password.to_vec())
    }
}

impl Store {
    pub async fn secret(&self, name: &'static str) -> Result<Option<Vec<u8>>, Error> {
        self.engine.read(move |tx| find(tx, name)).await
    }

    /// Stores a secret unless there is one. Gives the one that is stored: of several nodes that
    /// start at once, all get the same.
    pub async fn put_secret_if_absent(
        &self,
        name: &'static str,
        sealed: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let sealed = sealed.to_vec();
        let write = move |tx: &mut dyn Tx| {
            tx.execute(
                "INSERT INTO secrets (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
                &[name.into(), sealed.as_slice().into()],
            )?;
            find(tx, name)?.ok_or_else(damaged)
        };
        self.engine.write(Turn::named(name), write).await
    }

    /// Replaces a secret if it is still the one that the caller knows.
    pub async fn replace_secret(
        &self,
        name: &'static str,
        known: &[u8],
        sealed: &[u8],
    ) -> Result<bool, Error> {
        let (known, sealed) = (known.to_vec(), sealed.to_vec());
        let write = move |tx: &mut dyn Tx| {
            let sql = "UPDATE secrets SET sealed = $1 WHERE name = $2 AND sealed = $3";
            let binds = &[
                sealed.as_slice().into(),
                name.into(),
                known.as_slice().into(),
            ];
            Ok(tx.execute(sql, binds)? > 0)
        };
        self.engine.write(Turn::named(name), write).await
    }
}

fn find(tx: &mut dyn Tx, name: &'static str) -> Result<Option<Vec<u8>>, Failure> {
    let row = tx.row("SELECT sealed FROM secrets WHERE name = $1", &[name.into()])?;
    row.map(|mut row| row.blob(0)).transpose()
}
