//! The store of the coordinator on the server: streams, consumers and buckets. All of it may vanish
//! at any time, and is then set up again.

use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::stream::{DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{Context, consumer, kv, stream};

use super::ClusterError;
use super::access::with_source;
use super::names;

/// The server remembers the ids of messages for this long, to drop repeated ones.
const DUPLICATES: Duration = Duration::from_secs(120);

/// The coordinator must acknowledge a result within this time; otherwise it comes again.
const RESULT_WAIT: Duration = Duration::from_secs(30);

/// Creates the streams and the bucket if they do not exist.
pub(super) async fn set_up(context: &Context) -> Result<kv::Store, ClusterError> {
    let jobs = stream::Config {
        name: names::JOBS.to_owned(),
        description: Some("pairs of games to play, see `arena run --cluster`".to_owned()),
        subjects: vec!["jobs.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        // One message for each subject: publishing a job again changes nothing.
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        ..stream::Config::default()
    };
    let results = stream::Config {
        name: names::RESULTS.to_owned(),
        description: Some("finished games, see `arena run --cluster`".to_owned()),
        subjects: vec!["results.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        duplicate_window: DUPLICATES,
        ..stream::Config::default()
    };
    // A bucket is a stream. The client's own function first asks for the account, and cannot read
    // the answer of a server of version 2.9.
    let tournaments = stream::Config {
        name: format!("KV_{}", names::TOURNAMENT),
        description: Some("tournaments in progress, see `arena run --cluster`".to_owned()),
        subjects: vec![format!("$KV.{}.>", names::TOURNAMENT)],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        ..stream::Config::default()
    };
    for config in [jobs, results, tournaments] {
        let name = config.name.clone();
        context.get_or_create_stream(config).await.map_err(|why| {
            ClusterError::server(format!("create the stream {name}"), with_source(&why))
        })?;
    }
    let found = context.get_key_value(names::TOURNAMENT).await;
    found.map_err(|why| ClusterError::server("open the bucket of tournaments", with_source(&why)))
}

/// Creates the consumer that hands out a tournament's jobs, if it does not exist. A worker that is
/// silent for `patience` loses its job to another.
pub(super) async fn job_consumer(
    context: &Context,
    tournament: &str,
    digest: &str,
    patience: Duration,
) -> Result<(), ClusterError> {
    let name = names::job_consumer(tournament, digest);
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: names::jobs_for(tournament, digest),
        ack_policy: consumer::AckPolicy::Explicit,
        ack_wait: patience,
        // A lost worker says nothing about the job.
        max_deliver: -1,
        max_ack_pending: -1,
        max_waiting: 1 << 14,
        ..pull::Config::default()
    };
    create(context, names::JOBS, &name, config).await
}

/// Creates the consumer of a tournament's results, if it does not exist, and returns it.
pub(super) async fn result_consumer(
    context: &Context,
    tournament: &str,
) -> Result<consumer::PullConsumer, ClusterError> {
    let name = names::result_consumer(tournament);
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: names::all_results(tournament),
        ack_policy: consumer::AckPolicy::Explicit,
        ack_wait: RESULT_WAIT,
        max_deliver: -1,
        max_ack_pending: -1,
        ..pull::Config::default()
    };
    create(context, names::RESULTS, &name, config).await?;
    context
        .get_consumer_from_stream(&name, names::RESULTS)
        .await
        .map_err(|why| ClusterError::server(format!("use the consumer {name}"), with_source(&why)))
}

async fn create(
    context: &Context,
    stream: &str,
    name: &str,
    config: pull::Config,
) -> Result<(), ClusterError> {
    // A consumer whose settings differ is updated, for example for another patience.
    let created = context.create_consumer_on_stream(config, stream).await;
    created.map(drop).map_err(|why| {
        ClusterError::server(format!("create the consumer {name}"), with_source(&why))
    })
}

/// Publishes a job. It is no error if it is there already.
pub(super) async fn publish_job(
    context: &Context,
    subject: String,
    job: Vec<u8>,
) -> Result<(), PublishError> {
    let published = match context.publish(subject, job.into()).await {
        Ok(answer) => answer.await.map(drop),
        Err(why) => Err(why),
    };
    match published {
        Err(why) if is_there_already(&why) => Ok(()),
        other => other,
    }
}

fn is_there_already(why: &PublishError) -> bool {
    why.kind() == PublishErrorKind::Other && with_source(why).contains("per subject")
}

/// Removes all messages of a subject from a stream.
pub(super) async fn purge(context: &Context, stream: &str, subject: &str) {
    // At the end of a tournament an error leaves messages that nobody waits for.
    if let Ok(stream) = context.get_stream_no_info(stream).await {
        let _ = stream.purge().filter(subject).await;
    }
}
