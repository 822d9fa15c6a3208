//! Sends the engines' files to the object store, each under its digest.

use std::collections::BTreeMap;

use async_nats::jetstream::{Context, object_store};

use super::super::access::with_source;
use super::super::engine_set::EngineSet;
use super::super::{ClusterError, names};

/// Uploads the files that the store does not have yet. Returns how many there were.
pub(super) async fn ship(context: &Context, engines: &EngineSet) -> Result<usize, ClusterError> {
    let failed = |what: &str, why: &dyn std::error::Error| {
        ClusterError::server(what.to_owned(), with_source(why))
    };
    let store = match context.get_object_store(names::ENGINES).await {
        Ok(store) => store,
        Err(_) => {
            let config = object_store::Config {
                bucket: names::ENGINES.to_owned(),
                description: Some("files of engines, see `arena run --ship`".to_owned()),
                ..object_store::Config::default()
            };
            let created = context.create_object_store(config).await;
            created.map_err(|why| failed("create the object store", &why))?
        }
    };
    let files = engines.engines.iter().flat_map(|engine| &engine.files);
    let files: BTreeMap<&str, &str> =
        files.filter_map(|file| Some((file.sha256.as_deref()?, &*file.path))).collect();
    let mut sent = 0;
    for (digest, path) in files {
        if store.info(digest).await.is_ok_and(|info| !info.deleted) {
            continue;
        }
        let read = |why| ClusterError::Usage(format!("cannot send {path}: {why}"));
        let mut file = tokio::fs::File::open(path).await.map_err(read)?;
        let put = store.put(digest, &mut file).await;
        put.map_err(|why| failed(&format!("send {path} to the object store"), &why))?;
        sent += 1;
    }
    Ok(sent)
}
