//! The only place that starts tasks, so that closing can wait for all of them.

use std::future::Future;

use tokio_util::task::TaskTracker;

#[derive(Default)]
pub(crate) struct Tasks(TaskTracker);

impl Tasks {
    pub(crate) fn start(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.0.spawn(task);
    }

    /// Waits until every task has ended.
    pub(crate) async fn wait(&self) {
        self.0.close();
        self.0.wait().await;
    }
}
