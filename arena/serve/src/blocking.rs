//! Work that reads files or computes, away from the thread that serves pages.

use super::error::ApiError;

/// Does some work on a thread for blocking calls.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|why| Err(ApiError::failed(format!("the server failed: {why}"))))
}
