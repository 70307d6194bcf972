// The world of an embedder: the clock and 16 random bytes of the operating system. Included by the
// examples of this crate, so that each is a whole program.

struct World;

impl service::Environment for World {
    fn now(&self) -> service::pad::Timestamp {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        service::pad::Timestamp(since.as_millis() as i64)
    }

    fn entropy(&self) -> u128 {
        use std::io::Read;
        let mut bytes = [0; 16];
        // Ids and tokens are as secret as these bytes: without them nothing may go on.
        std::fs::File::open("/dev/urandom")
            .and_then(|mut file| file.read_exact(&mut bytes))
            .unwrap();
        u128::from_ne_bytes(bytes)
    }
}

/// A service that keeps its pads in memory.
#[allow(dead_code)]
async fn open() -> Result<service::Service, Box<dyn std::error::Error>> {
    let store = service::store::Store::open(service::store::Location::Memory).await?;
    let config = service::Config {
        compaction: true,
        erasure: true,
        ..service::Config::default()
    };
    Ok(service::Service::new(store, std::sync::Arc::new(World), config))
}
