//! The lines of the UGI text protocol, one enum per direction.
