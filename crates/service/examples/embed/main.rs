//! A program that embeds pads: it keeps them in a file, lets one person edit and another read, and
//! calls a function of the API by name. `cargo run -p service --example embed`.

// An example may stop when something is wrong. What is included stands alone elsewhere.
#![allow(clippy::unwrap_used, clippy::print_stdout, unused_qualifications)]

use std::sync::Arc;

use service::api::{Argument, Arguments, Caller, Version};
use service::pad::PadId;
use service::store::{Location, Store};
use service::{Config, Delivery, JoinRequest, Service};

include!("world.in");

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(Location::Embedded(folder.path().join("pads.db"))).await?;
    let service = Service::new(store, Arc::new(World), Config::default());

    // The functions of the API are methods.
    let pad = PadId::for_new("notes").ok_or("a name that no pad can have")?;
    service.create_pad(&pad, Some("Hello".into()), None).await?;

    // Somebody is in the pad, and hears of changes.
    let request = JoinRequest {
        pad: "notes".to_owned(),
        ..JoinRequest::default()
    };
    let mut reader = service
        .join(&request)
        .await
        .map_err(|why| format!("{why:?}"))?;
    service.append_text(&pad, "world".into(), None).await?;
    while let Delivery::Event(_) = reader.feed.next().await {}
    println!("revision {} has arrived", reader.feed.place());

    // And they can be called by name, with arguments as they come over the wire.
    let mut arguments = Arguments::new();
    arguments.push("padID", Argument::Text("notes".to_owned()));
    let data = service
        .call(Version::LATEST, "getText", arguments, Caller::Trusted)
        .await?;
    println!("{}", data.into_value());
    drop(reader);
    service.stop().await;
    Ok(())
}
