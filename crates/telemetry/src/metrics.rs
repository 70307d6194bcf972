//! Metrics for monitoring.
//!
//! There is one of it in the process, as there is one log. Nothing in it names a pad, an author or
//! a client, and the labels are few, so that it stays small whatever happens.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// The numbers of this process.
pub static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct Answered {
    method: &'static str,
    status: u16,
}

/// Hints between nodes, counted where they are sent and received.
#[derive(Default)]
pub struct HintMetrics {
    pub sent: Counter,
    pub bytes_sent: Counter,
    pub received: Counter,
    pub dropped: Counter,
    pub missed: Counter,
    pub refused: Counter,
}

impl HintMetrics {
    fn describe(&self, registry: &mut Registry) {
        for (name, help, counter) in [
            ("hints_sent", "Hints sent to other nodes", &self.sent),
            ("hint_bytes_sent", "Bytes of hints sent", &self.bytes_sent),
            ("hints_received", "Hints of other nodes", &self.received),
            ("hints_dropped", "Hints that found no room", &self.dropped),
            ("hints_missed", "Hints not read in time", &self.missed),
            ("hints_refused", "Messages of no node", &self.refused),
        ] {
            registry.register(name, help, counter.clone());
        }
    }
}

pub struct Metrics {
    registry: Registry,
    pub begun: Instant,
    pub requests: Family<Answered, Counter>,
    request_seconds: Histogram,
    /// All requests, and those that failed by a fault of ours.
    pub answered: Counter,
    pub failed: Counter,
    /// Calls of API functions, and those that were refused or failed.
    pub api_calls: Counter,
    pub api_errors: Counter,
    pub connections: Gauge,
    pub connects: Counter,
    pub members: Gauge,
    pub changes: Counter,
    pub changes_waiting: Gauge,
    pub changes_refused: Counter,
    pub slowed: Counter,
    /// Requests for connections of other nodes, and those of them that no node has answered.
    pub relayed: Counter,
    pub relays_failed: Counter,
    /// Processes that serve the database, and what they tell each other.
    pub nodes: Gauge,
    pub hints: HintMetrics,
    stored_seconds: Histogram,
    delivered_seconds: Histogram,
    live_pads: Gauge,
    commits: Counter,
    replans: Counter,
    unhinted: Counter,
    memory: Gauge<u64, AtomicU64>,
}

/// What is only known by asking, at the moment of the question.
#[derive(Default)]
pub struct Asked {
    pub live_pads: usize,
    /// Batches stored, and how many of them were planned again because another node was faster.
    pub commits: u64,
    pub replans: u64,
    /// Revisions of other nodes that no hint has brought in time.
    pub unhinted: u64,
}

impl Metrics {
    fn new() -> Metrics {
        let mut registry = Registry::with_prefix("padsvc");
        let metrics = Metrics {
            begun: Instant::now(),
            requests: Family::default(),
            // From a tenth of a millisecond to twelve seconds, each twice the one before.
            request_seconds: latencies(),
            answered: Counter::default(),
            failed: Counter::default(),
            api_calls: Counter::default(),
            api_errors: Counter::default(),
            connections: Gauge::default(),
            connects: Counter::default(),
            members: Gauge::default(),
            changes: Counter::default(),
            changes_waiting: Gauge::default(),
            changes_refused: Counter::default(),
            slowed: Counter::default(),
            relayed: Counter::default(),
            relays_failed: Counter::default(),
            nodes: Gauge::default(),
            hints: HintMetrics::default(),
            stored_seconds: latencies(),
            delivered_seconds: latencies(),
            live_pads: Gauge::default(),
            commits: Counter::default(),
            replans: Counter::default(),
            unhinted: Counter::default(),
            memory: Gauge::default(),
            registry: Registry::default(),
        };
        metrics.describe(&mut registry);
        Metrics {
            registry,
            ..metrics
        }
    }

    fn describe(&self, registry: &mut Registry) {
        let it = self;
        registry.register("http_requests", "Requests answered", it.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "From the head of a request to the last byte of its answer",
            Unit::Seconds,
            it.request_seconds.clone(),
        );
        let api_calls = "Calls of API functions";
        registry.register("api_calls", api_calls, it.api_calls.clone());
        let api_errors = "Calls of API functions that were refused or failed";
        registry.register("api_errors", api_errors, it.api_errors.clone());
        registry.register("connections", "Open sockets", it.connections.clone());
        registry.register("connects", "Sockets opened", it.connects.clone());
        registry.register("members", "Connections in pads", it.members.clone());
        registry.register("changes", "Changes of members stored", it.changes.clone());
        let waiting = "Changes received and not yet stored";
        registry.register("changes_waiting", waiting, it.changes_waiting.clone());
        let refused = "Changes that were wrong or could not be stored";
        registry.register("changes_refused", refused, it.changes_refused.clone());
        let slowed = "Connections that said more than they may";
        registry.register("slowed_connections", slowed, it.slowed.clone());
        let relayed = "Requests passed on to the node that has their connection";
        registry.register("relayed_requests", relayed, it.relayed.clone());
        let failed = "Requests that could not be passed on to another node";
        registry.register("relays_failed", failed, it.relays_failed.clone());
        let nodes = "Processes that serve the database; 0 if it is an embedded one";
        registry.register("nodes", nodes, it.nodes.clone());
        it.hints.describe(registry);
        registry.register_with_unit(
            "change_stored",
            "From receiving a member's change to its being on disk",
            Unit::Seconds,
            it.stored_seconds.clone(),
        );
        registry.register_with_unit(
            "change_delivered",
            "From a pad's taking a change to its being handed to another member's connection, \
             to the millisecond",
            Unit::Seconds,
            it.delivered_seconds.clone(),
        );
        for (name, help, counter) in [
            ("commits", "Batches of changes stored", &it.commits),
            (
                "replans",
                "Batches planned again after another node",
                &it.replans,
            ),
            (
                "unhinted_revisions",
                "Revisions found without a hint",
                &it.unhinted,
            ),
        ] {
            registry.register(name, help, counter.clone());
        }
        registry.register("live_pads", "Pads in memory", it.live_pads.clone());
        registry.register_with_unit(
            "memory",
            "Memory that the process has from the system",
            Unit::Bytes,
            it.memory.clone(),
        );
    }

    pub fn answered(&self, method: &Method, status: StatusCode, took: Duration) {
        let method = match *method {
            Method::GET => "GET",
            Method::POST => "POST",
            Method::HEAD => "HEAD",
            Method::PUT => "PUT",
            Method::DELETE => "DELETE",
            Method::OPTIONS => "OPTIONS",
            // Anybody may make up more.
            _ => "other",
        };
        self.answered.inc();
        if status.is_server_error() {
            self.failed.inc();
        }
        let status = status.as_u16();
        self.requests
            .get_or_create(&Answered { method, status })
            .inc();
        self.request_seconds.observe(took.as_secs_f64());
    }

    pub fn stored(&self, took: Duration) {
        self.changes.inc();
        self.stored_seconds.observe(took.as_secs_f64());
    }

    pub fn delivered(&self, milliseconds: i64) {
        let milliseconds = milliseconds.max(0) as f64;
        self.delivered_seconds.observe(milliseconds / 1000.0);
    }

    /// Everything, in the text form that Prometheus reads.
    pub fn text(&self, asked: &Asked) -> String {
        self.live_pads.set(asked.live_pads as i64);
        for (counter, value) in [
            (&self.commits, asked.commits),
            (&self.replans, asked.replans),
            (&self.unhinted, asked.unhinted),
        ] {
            counter.inner().store(value, Ordering::Relaxed);
        }
        self.memory.set(memory_bytes());
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn latencies() -> Histogram {
    Histogram::new(exponential_buckets(0.000_1, 2.0, 18))
}

/// What the process has of the machine's memory; 0 where that is not told.
pub fn memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// One more of something as long as it lives.
pub struct Counted(&'static Gauge);

impl Counted {
    pub fn on(gauge: &'static Gauge) -> Counted {
        gauge.inc();
        Counted(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_names() {
        let metrics = Metrics::new();
        metrics.answered(&Method::GET, StatusCode::OK, Duration::from_millis(3));
        let made_up = Method::from_bytes(b"BREW").unwrap();
        metrics.answered(&made_up, StatusCode::NOT_FOUND, Duration::ZERO);
        metrics.stored(Duration::from_micros(300));
        metrics.delivered(-5);
        let text = metrics.text(&Asked {
            live_pads: 7,
            replans: 3,
            ..Asked::default()
        });
        for line in [
            r#"padsvc_http_requests_total{method="GET",status="200"} 1"#,
            r#"padsvc_http_requests_total{method="other",status="404"} 1"#,
            "padsvc_http_request_duration_seconds_count 2",
            r#"padsvc_change_stored_seconds_bucket{le="0.0002"} 0"#,
            r#"padsvc_change_stored_seconds_bucket{le="0.0004"} 1"#,
            "padsvc_change_delivered_seconds_sum 0.0",
            "padsvc_changes_total 1",
            "padsvc_live_pads 7",
            "padsvc_replans_total 3",
        ] {
            assert!(text.lines().any(|told| told == line), "{line}: {text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
