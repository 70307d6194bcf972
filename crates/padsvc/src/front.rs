//! Front of the server: sockets, the edge and the admin area, made when their parts are there.

use std::path::Path;
use std::sync::Arc;

use admin::{AdminState, Background};
use axum::Router;
use edge::{Dependencies, Edge, Oidc};
use identity::accounts::Accounts;
use identity::creation_limits::CreationLimits;
use identity::shared_keys::ProgramKeys;
use plugins::{Manager, Plugins};
use relay::Relay;
use settings::Settings;
use sockets::Sockets;
use updater::restart::Restart;
use updater::{Intake, Updates};

use crate::node::Node;

/// What the front is made of.
pub(crate) struct FrontParts<'a> {
    pub node: &'a Node,
    pub settings: &'a Arc<Settings>,
    pub manager: &'a Arc<Manager>,
    pub plugins: &'a Arc<Plugins>,
    pub keys: ProgramKeys,
    pub intake: Intake,
    pub updates: Updates,
    pub restart: &'a Arc<Restart>,
    pub background: &'a Background,
    pub root: &'a Path,
}

pub(crate) struct Front {
    pub sockets: Sockets,
    pub edge: Edge,
    pub admin: AdminState,
    relay: Option<Relay>,
}

impl Front {
    pub(crate) fn start(parts: FrontParts<'_>) -> Front {
        let FrontParts {
            node,
            settings,
            manager,
            plugins,
            keys,
            intake,
            updates,
            restart,
            background,
            root,
        } = parts;
        let service = &node.service;
        let oidc = Arc::new(Oidc::new(settings, root, service.store(), keys.shared));
        let provider = Arc::clone(&oidc.provider);
        let var = root.join("var");
        let accounts = Accounts::new(Arc::clone(settings), provider, &var, service.store());
        let accounts = Arc::new(accounts);
        let limits = Arc::new(CreationLimits::new(&settings.creation));
        let sockets = Sockets::start(
            Arc::clone(service),
            Arc::clone(settings),
            Arc::clone(&accounts),
            Arc::clone(&limits),
            intake,
            node.draining.clone(),
        );
        let edge = Edge::new(Dependencies {
            service: Arc::clone(service),
            settings: Arc::clone(settings),
            accounts,
            limits,
            oidc,
            key: keys.api,
            plugins: Some(Arc::clone(plugins)),
            updates: Some(updates.clone()),
            draining: node.draining.clone(),
            root,
        });
        let admin = AdminState::new(
            &edge,
            background,
            manager,
            Some(Arc::clone(plugins)),
            Some(updates),
            Some(Arc::clone(restart)),
        );
        Front {
            sockets,
            edge,
            admin,
            relay: node.relay.clone(),
        }
    }

    /// All routes. With a relay, requests for connections of other nodes are passed on to them.
    pub(crate) fn router(&self) -> Router {
        let admin = admin::router(self.admin.clone());
        let sockets = self.sockets.router();
        match &self.relay {
            Some(relay) => {
                let sockets = relay.around_sockets(sockets);
                relay.around_all(self.edge.router(sockets, admin))
            }
            None => self.edge.router(sockets, admin),
        }
    }

    /// Ends what stays open for ever, so that it does not hold up the end.
    pub(crate) async fn close_streams(&self) {
        self.admin.close_streams();
        self.sockets.close().await;
        if let Some(relay) = &self.relay {
            relay.close().await;
        }
    }
}
