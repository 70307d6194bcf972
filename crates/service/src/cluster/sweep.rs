//! Comparing live pads with the store: what finds everything that hints have missed.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;

use contract::Error;
use pad::Rev;
use store::PadKey;

use crate::Service;
use crate::cluster::Cluster;
use crate::live::Ending;

impl Service {
    /// Brings live pads up to date that other nodes have written to, and ends those that are gone.
    pub(super) async fn compare_heads(&self) -> Result<(), Error> {
        let pads = self.live.handles();
        if pads.is_empty() {
            return Ok(());
        }
        let keys: Vec<PadKey> = pads.iter().map(|pad| pad.key).collect();
        let heads = self.store.heads(&keys).await?;
        let heads: HashMap<PadKey, Rev> = heads.iter().map(|it| (it.key, it.rev)).collect();
        for pad in pads {
            match heads.get(&pad.key) {
                None => pad.stop(Ending::Gone).await,
                Some(newest) if pad.head().rev < Some(*newest) => {
                    let known = pad.head().rev.map_or(0, |rev| rev.0 + 1);
                    let found = (newest.0 + 1).saturating_sub(known);
                    self.live.counters().count_unhinted(found);
                    // A writer that fails ends its pad, and members come again.
                    let _ = pad.catch_up(Some(*newest)).await;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Removes members of this node from the store that are no longer there.
    pub(super) async fn remove_departed(&self, cluster: &Cluster) -> Result<(), Error> {
        cluster.has_lost_departures.store(false, Ordering::SeqCst);
        let rows = self.store.own_seats().await?;
        // Those who come are in a roster before they are stored.
        let pads = self.live.handles();
        let present = pads.iter().flat_map(|pad| pad.roster().local_members());
        let present: HashSet<u64> = present.map(|it| it.member.number()).collect();
        for (pad, member) in rows {
            if !present.contains(&member) {
                self.store.depart(pad, member, self.now()).await?;
            }
        }
        Ok(())
    }

    /// Compares the members of all live pads with the store.
    pub(super) async fn sync_all_presence(&self) -> Result<(), Error> {
        for pad in self.live.handles() {
            self.sync_members(&pad, true).await?;
        }
        Ok(())
    }
}
