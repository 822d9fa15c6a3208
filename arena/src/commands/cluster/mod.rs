//! `arena cluster`: one tournament on many machines. `config` sets up the server between a coordinator
//! and its workers; `work` is a worker.

mod config;
mod work;

use clap::{Args, Subcommand};

use super::error::CliError;
use super::exit::Exit;

pub(super) const HELP: &str = "\
Examples:
  arena cluster config --workers 12 --out cluster
  arena run CONFIG --cluster nats://coordinator:4222 --credentials cluster/coordinator.toml
  arena cluster work nats://coordinator:4222 --credentials worker1.toml

The coordinator is an arena that runs with --cluster: it has the config and the results. Workers play \
its games on other machines. A NATS server passes the messages between them. See \
arena/guides/many-machines.md.";

#[derive(Args, Debug)]
pub(super) struct ClusterCommand {
    #[command(subcommand)]
    what: ClusterAction,
}

#[derive(Subcommand, Debug)]
enum ClusterAction {
    /// Write a config for the NATS server, and a key pair for the coordinator and each worker
    #[command(after_help = config::HELP)]
    Config(config::ConfigArgs),
    /// Play games for tournaments on many machines
    #[command(after_help = work::HELP)]
    Work(work::WorkArgs),
}

pub(super) fn cluster(args: &ClusterCommand) -> Result<Exit, CliError> {
    match &args.what {
        ClusterAction::Config(args) => config::config(args),
        ClusterAction::Work(args) => work::work(args),
    }
}
