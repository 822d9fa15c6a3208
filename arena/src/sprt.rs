//! The sequential probability ratio test.
