//! The number of games this machine can play at once: limited by processors if clocks run, and by
//! open files.

use std::fmt;
use std::num::NonZeroU32;

use fanorona_engine::quota::Quota;
use fanorona_engine::{descriptors, processes};
use fanorona_tournament::config::{Cpus, EngineConfig, Tournament};
use fanorona_tournament::machine::runs::in_processors;
use fanorona_tournament::text::plural::counted;

/// Idle engines kept alive per concurrent game.
const IDLE_PER_GAME: usize = 8;

/// The capacity of this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capacity {
    /// The number of games played at once.
    pub games: usize,
    /// The number of engines that may wait for their next game.
    pub idle: usize,
    /// The number of engines that may be starting at once.
    pub starting: usize,
    /// If `games` is less than the config requests: the scarce resource.
    pub short_of: Option<Scarce>,
}

/// A scarce resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scarce {
    /// The arena may open only this many files.
    Files(u64),
    /// The user may not start enough processes.
    Processes,
}

impl Capacity {
    /// The capacity for a tournament if this many processors are available. Raises the soft limit
    /// of open files as far as the tournament needs and the hard limit allows.
    pub fn new(tournament: &Tournament, processors: u32) -> Capacity {
        let games = games_at_once(tournament, processors) as usize;
        let playing = if tournament.adjudication.oracle.is_some() { 3 } else { 2 };
        let engines = tournament.engines.len() + playing - 2;
        // A game never needs more idle engines than there are.
        let idle = IDLE_PER_GAME.min(engines) * games;
        let files = descriptors::allow(descriptors::needed_for(games * playing + idle));
        let by_files = (descriptors::enough_for(files), Scarce::Files(files));
        let by_processes = processes::enough_for().map(|engines| (engines, Scarce::Processes));
        let least =
            std::iter::once(by_files).chain(by_processes).min_by_key(|(engines, _)| *engines);
        let (engines, scarce) = least.unwrap_or(by_files);
        Capacity::within(games, playing, idle, engines, scarce)
    }

    /// The capacity for `games` games of `each` engines, if the scarce resource is enough for this
    /// many engines.
    fn within(
        wanted: usize,
        playing: usize,
        idle: usize,
        engines: usize,
        scarce: Scarce,
    ) -> Capacity {
        let games = wanted.min(engines / playing).max(1);
        let spare = engines.saturating_sub(games * playing);
        let short_of = (games < wanted).then_some(scarce);
        Capacity { games, idle: idle.min(spare), starting: engines.clamp(1, 16), short_of }
    }
}

/// The number of concurrent games the config requests; by default the number of processors.
pub fn games_at_once(tournament: &Tournament, processors: u32) -> u32 {
    let threads = Demand::new(tournament).map_or(1, |demand| demand.threads);
    tournament.concurrency.map_or((processors / threads).max(1), NonZeroU32::get)
}

/// The processor demand of the timed engine with the most threads per processor.
struct Demand<'t> {
    engine: &'t EngineConfig,
    /// Its threads, and those of an opponent that ponders meanwhile.
    threads: u32,
    /// The opponent that ponders.
    ponderer: Option<&'t EngineConfig>,
    /// The processors it may run on; `None` for all.
    only: Option<u32>,
}

impl<'t> Demand<'t> {
    fn new(tournament: &'t Tournament) -> Option<Demand<'t>> {
        let timed = |engine: &&EngineConfig| tournament.limit_of(engine).is_timed();
        let ponders = |engine: &&EngineConfig| tournament.ponders(engine);
        let mut ponderers: Vec<&EngineConfig> = tournament.engines.iter().filter(ponders).collect();
        ponderers.sort_by_key(|engine| std::cmp::Reverse(engine.threads()));
        let demand = |engine: &'t EngineConfig| {
            let only = match tournament.cpus_of(engine) {
                Cpus::Any => None,
                Cpus::Only(cpus) => Some(cpus.len() as u32),
            };
            let opponent = |other: &&&EngineConfig| other.name != engine.name;
            let ponderer = ponderers.iter().find(opponent).copied();
            let threads = engine.threads() + ponderer.map_or(0, EngineConfig::threads);
            Demand { engine, threads, ponderer, only }
        };
        let all = tournament.engines.iter().filter(timed).map(demand);
        // The ratio decides: two threads on one processor are worse than three on four.
        all.max_by_key(|demand| (demand.threads * 1000) / demand.only.unwrap_or(1000).max(1))
    }
}

/// More timed games at once than the processors, or a quota of processor time, can run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Oversubscribed {
    games: u32,
    engine: String,
    threads: u32,
    /// The engine that ponders meanwhile, on some of these threads.
    ponderer: Option<String>,
    processors: u32,
    /// The quota, if it is what is too small.
    quota: Option<Quota>,
}

impl Oversubscribed {
    /// Fails if a tournament runs more timed games at once than this many processors and this quota
    /// can serve, unless its config allows it. In each game one engine thinks at a time, beside an
    /// opponent that ponders.
    pub fn check(
        tournament: &Tournament,
        processors: u32,
        quota: Option<&Quota>,
    ) -> Result<(), Oversubscribed> {
        match Oversubscribed::find(tournament, processors, quota) {
            Some(why) if !tournament.oversubscribe => Err(why),
            _ => Ok(()),
        }
    }

    /// Finds out whether a tournament runs more timed games at once than this, allowed or not.
    pub fn find(
        tournament: &Tournament,
        processors: u32,
        quota: Option<&Quota>,
    ) -> Option<Oversubscribed> {
        let demand = Demand::new(tournament)?;
        let games = games_at_once(tournament, processors);
        let processors = demand.only.unwrap_or(processors).min(processors);
        let needed = games.saturating_mul(demand.threads);
        let quota = quota.filter(|quota| needed.saturating_mul(100) > quota.percent);
        let (engine, threads) = (demand.engine.name.clone(), demand.threads);
        let ponderer = demand.ponderer.map(|engine| engine.name.clone());
        let quota = quota.cloned();
        let why = Oversubscribed { games, engine, threads, ponderer, processors, quota };
        (needed > processors || why.is_by_quota()).then_some(why)
    }

    /// Whether it is a quota that is too small.
    pub fn is_by_quota(&self) -> bool {
        self.quota.is_some()
    }

    /// Advice on how to fix it.
    pub fn help(&self) -> String {
        let quota = self.quota.as_ref();
        let processors = quota.map_or(u32::MAX, |quota| quota.percent / 100).min(self.processors);
        let fewer = match processors / self.threads {
            0 if processors == 0 => {
                "raise the quota to one processor or more (`--cpus` of a container, `CPUQuota` of \
                 a service, the limit `cpu` of a pod)"
                    .to_owned()
            }
            0 if let Some(ponderer) = &self.ponderer => {
                format!("set `ponder = false` for `{ponderer}`")
            }
            0 => format!("give `{}` no more than {processors} threads", self.engine),
            most => format!("play {most} at once (`concurrency`, --concurrency)"),
        };
        format!(
            "{fewer}, or use node or depth limits; `oversubscribe = true` in the config overrides \
             this check"
        )
    }
}

impl fmt::Display for Oversubscribed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Oversubscribed { games, engine, threads, ponderer, processors, quota } = self;
        let ponders = |ponderer| format!(" and of `{ponderer}`, which ponders meanwhile");
        let meanwhile = ponderer.as_ref().map_or(String::new(), ponders);
        let there = match (quota, processors) {
            (Some(quota), _) => format!(
                "a quota allows {} ({})",
                in_processors(quota.percent),
                quota.file.display()
            ),
            (None, 1) => "there is 1".to_owned(),
            (None, processors) => format!("there are {processors}"),
        };
        write!(
            f,
            "{} at once under a time limit, with {} of `{engine}`{meanwhile}, need {}, and {there}: engines \
             would lose on time through no fault of their own",
            counted(u64::from(*games), "game", "games"),
            counted(u64::from(*threads), "thread", "threads"),
            counted(u64::from(games.saturating_mul(*threads)), "processor", "processors"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(concurrency: u32, limit: &str) -> Tournament {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.concurrency = NonZeroU32::new(concurrency);
        tournament.limit = limit.parse().unwrap();
        tournament
    }

    #[test]
    fn clocks_need_a_processor_for_every_thread_that_searches() {
        let check =
            |it: &Tournament| Oversubscribed::check(it, 4, None).map_err(|why| why.to_string());
        assert_eq!(check(&tournament(4, "30ms")), Ok(()));
        assert_eq!(check(&tournament(5, "nodes=10")), Ok(()));
        let why = check(&tournament(5, "30ms")).unwrap_err();
        assert!(why.starts_with("5 games at once under a time limit, with 1 thread of"), "{why}");
        let mut threaded = tournament(2, "10s+0.1s");
        threaded.engines[1].options = vec![("threads".into(), "3".into())];
        let why = Oversubscribed::check(&threaded, 4, None).unwrap_err();
        assert!(why.to_string().contains("3 threads of `b`, need 6 processors, and there are 4"));
        assert!(why.help().starts_with("play 1 at once"), "{}", why.help());
        // Node limits do not depend on time.
        threaded.engines[1].limit = Some("nodes=10".parse().unwrap());
        assert_eq!(check(&threaded), Ok(()));
        threaded.engines[1].limit = None;
        threaded.oversubscribe = true;
        assert_eq!(check(&threaded), Ok(()));
        let mut bound = tournament(2, "30ms");
        bound.cpus = "3".parse().unwrap();
        assert!(check(&bound).is_err());
    }

    #[test]
    fn an_engine_that_ponders_needs_processors_of_its_own() {
        let pondering = |concurrency, threads: &str| {
            let mut it = tournament(concurrency, "30ms");
            it.engines[1].ponder = Some(true);
            it.engines[1].options = vec![("Threads".into(), threads.into())];
            it
        };
        let check = |it: &Tournament| Oversubscribed::check(it, 4, None);
        assert_eq!(check(&pondering(2, "1")), Ok(()));
        assert_eq!(games_at_once(&pondering(0, "1"), 4), 2);
        let why = check(&pondering(3, "1")).unwrap_err();
        let expected = "3 games at once under a time limit, with 2 threads of `a` and of `b`, which \
                        ponders meanwhile, need 6 processors, and there are 4";
        assert!(why.to_string().starts_with(expected), "{why}");
        assert!(why.help().starts_with("play 2 at once"), "{}", why.help());
        let why = check(&pondering(1, "4")).unwrap_err();
        assert!(why.help().starts_with("set `ponder = false` for `b`"), "{}", why.help());
        // Engines that both ponder think and ponder in turn.
        let mut both = pondering(2, "1");
        both.ponder = true;
        assert_eq!(check(&both), Ok(()));
    }

    #[test]
    fn clocks_need_a_quota_for_every_thread_that_searches() {
        let quota = |percent| Quota { percent, file: "/sys/x/cpu.max".into() };
        let check = |it: &Tournament, percent| {
            Oversubscribed::check(it, 4, Some(&quota(percent)))
                .map_err(|why| (why.to_string(), why.help()))
        };
        // As many games as there are processors for; the system counts at least one for a quota.
        assert_eq!(check(&tournament(1, "30ms"), 100), Ok(()));
        for limit in ["30ms", "1s+10ms"] {
            let (why, help) = check(&tournament(1, limit), 50).unwrap_err();
            assert!(why.contains("need 1 processor, and a quota allows 0.5 processors"), "{why}");
            assert!(why.contains("(/sys/x/cpu.max)"), "{why}");
            assert!(help.starts_with("raise the quota to one processor or more"), "{help}");
        }
        let (why, help) = check(&tournament(2, "30ms"), 150).unwrap_err();
        assert!(why.contains("need 2 processors, and a quota allows 1.5 processors"), "{why}");
        assert!(help.starts_with("play 1 at once"), "{help}");
        assert_eq!(check(&tournament(2, "nodes=10"), 5), Ok(()));
        let mut allowed = tournament(1, "30ms");
        allowed.oversubscribe = true;
        assert_eq!(check(&allowed, 50), Ok(()));
        assert!(Oversubscribed::find(&allowed, 4, Some(&quota(50))).unwrap().is_by_quota());
        assert!(!Oversubscribed::find(&tournament(9, "30ms"), 4, None).unwrap().is_by_quota());
    }

    #[test]
    fn as_many_games_are_played_as_processors_allow() {
        let mut it = tournament(0, "30ms");
        assert_eq!(games_at_once(&it, 4), 4);
        it.engines[0].options = vec![("Threads".into(), "2".into())];
        assert_eq!(games_at_once(&it, 4), 2);
        it.engines[0].options = vec![("Threads".into(), "16".into())];
        assert_eq!(games_at_once(&it, 4), 1);
        assert!(
            Oversubscribed::check(&it, 4, None).unwrap_err().help().starts_with("give `a` no more")
        );
    }

    #[test]
    fn room_for_few_engines_is_enough_for_few_games() {
        let room = |wanted| Capacity::within(wanted, 2, 16, 10, Scarce::Processes);
        let few = Capacity { games: 5, idle: 0, starting: 10, short_of: Some(Scarce::Processes) };
        assert_eq!(room(8), few);
        assert_eq!(room(3), Capacity { games: 3, idle: 4, starting: 10, short_of: None });
        let none = Capacity { games: 1, idle: 0, starting: 1, short_of: Some(Scarce::Files(3)) };
        assert_eq!(Capacity::within(2, 2, 16, 0, Scarce::Files(3)), none);
    }
}
