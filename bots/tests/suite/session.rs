//! The programs from a manager's view: lines in, lines out.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fanorona_protocol::messages::Reply;
use fanorona_protocol::rules::{Game, Ruleset, Start};

/// Every bot's program.
const BOTS: [&str; 4] = [
    env!("CARGO_BIN_EXE_bot-random"),
    env!("CARGO_BIN_EXE_bot-greedy"),
    env!("CARGO_BIN_EXE_bot-mcts"),
    env!("CARGO_BIN_EXE_bot-alphabeta"),
];

/// Bots with the options that select one thread and two. A bot without the option reports that in
/// an info line.
fn bots_and_threads() -> impl Iterator<Item = (&'static str, &'static str)> {
    let threads = ["setoption name Threads value 1\n", "setoption name Threads value 2\n"];
    BOTS.into_iter().flat_map(move |bot| threads.map(|words| (bot, words)))
}

/// The time after which a program that has not ended counts as hanging. No test measures how fast a
/// program is: on an idle machine each ends within milliseconds of its last input. The slack is a
/// factor of thousands, because the tests may share the processors with many others.
const HANG: Duration = Duration::from_secs(120);

/// The stones of the start later in a game: no book answers here.
const OPENED: &str = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 2";

/// Waits for the end of a program, and ends one that hangs.
fn end(bot: &str, child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if begin.elapsed() > HANG {
            let _ = child.kill();
            panic!("{bot} hangs");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a complete input to a program and collects its output.
fn feed(bot: &str, input: &[u8]) -> Output {
    let mut child = Command::new(bot)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the bot starts");
    fn read(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).expect("a pipe");
            bytes
        })
    }
    let stdout = read(child.stdout.take().expect("piped"));
    let stderr = read(child.stderr.take().expect("piped"));
    child.stdin.take().expect("piped").write_all(input).expect("the bot reads");
    let status = end(bot, &mut child);
    let [stdout, stderr] = [stdout, stderr].map(|pipe| pipe.join().expect("a reader"));
    Output { status, stdout, stderr }
}

/// The output lines of a program, which must succeed and print nothing to standard error.
fn lines(bot: &str, input: impl AsRef<[u8]>) -> Vec<String> {
    let output = feed(bot, input.as_ref());
    assert!(output.status.success(), "{bot}: {output:?}");
    assert!(output.stderr.is_empty(), "{bot}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// The lines that begin with a word.
fn with<'l>(lines: &'l [String], word: &str) -> Vec<&'l str> {
    lines.iter().map(String::as_str).filter(|l| l.split(' ').next() == Some(word)).collect()
}

/// A conversation with a program that is still running.
struct Dialogue {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Dialogue {
    fn new(bot: &str) -> Dialogue {
        let mut child = Command::new(bot)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the bot starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Dialogue { child, input, output }
    }

    fn send(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).expect("the bot reads");
        self.input.write_all(b"\n").expect("the bot reads");
    }

    /// All lines up to one of which this holds.
    fn until(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| is_last(line)) {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the bot speaks");
            assert!(!line.is_empty(), "the bot has ended");
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// The next line other than `info`.
    fn receive(&mut self) -> String {
        self.until(|line| !line.starts_with("info")).pop().expect("the last line")
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_handshake_declares_every_option() {
    for bot in BOTS {
        for (hello, ok) in [("ugi", "ugiok"), ("uci", "uciok")] {
            let lines = lines(bot, hello);
            assert!(lines[0].starts_with("id name bot-"), "{lines:?}");
            assert!(lines[1].starts_with("id author "), "{lines:?}");
            assert!(lines.contains(&"option name Rules type string default".to_owned()));
            assert!(lines.iter().any(|line| line.starts_with("option name Seed type spin")));
            assert_eq!(lines.last().map(String::as_str), Some(ok));
        }
    }
}

#[test]
fn every_go_has_one_bestmove_and_every_finite_limit_ends() {
    let limits = [
        "p1time 100 p2time 100 p1inc 1 p2inc 1",
        "wtime 50 btime 50 movestogo 2",
        "p2time 50",
        "movetime 20",
        "movetime 0",
        "nodes 100",
        "nodes 0",
        "depth 2",
        "depth 0",
        "depth 3 infinite",
        "depth x",
        "banana",
        "movetime 5 searchmoves e2e3A z9",
    ];
    for (bot, threads) in bots_and_threads() {
        let mut dialogue = Dialogue::new(bot);
        dialogue.send(threads);
        for limit in limits {
            // Not a start, so no book answers.
            dialogue.send(&format!("position fen {OPENED}\ngo {limit}"));
            let best = dialogue.receive();
            assert!(best.starts_with("bestmove ") && best != "bestmove 0000", "{limit}: {best}");
            dialogue.send("isready");
            assert_eq!(dialogue.receive(), "readyok", "{bot} go {limit}");
        }
    }
}

#[test]
fn every_bot_reports_score_nodes_speed_and_line() {
    for bot in BOTS {
        let mut dialogue = Dialogue::new(bot);
        dialogue.send("position startpos\ngo nodes 500");
        let mut last = String::new();
        let best = loop {
            let mut line = String::new();
            dialogue.output.read_line(&mut line).expect("the bot speaks");
            if let Some(mv) = line.strip_prefix("bestmove ") {
                break mv.trim_end().to_owned();
            }
            last = line;
        };
        let Ok(Reply::Info(info)) = last.parse() else { panic!("{bot}: {last}") };
        assert!(info.score.is_some() && info.depth.is_some(), "{bot}: {last}");
        assert!(info.nodes.is_some() && info.nps.is_some() && info.time.is_some(), "{bot}: {last}");
        assert_eq!(info.pv[0].to_string(), best, "{bot}: {last}");
    }
}

#[test]
fn searchmoves_restricts_the_choice() {
    for bot in BOTS {
        for mv in ["e2e3A", "d3e3W", "f2e3A"] {
            let input = format!("position startpos\ngo nodes 10 searchmoves {mv}\n");
            assert_eq!(with(&lines(bot, input), "bestmove"), [format!("bestmove {mv}")]);
        }
    }
}

#[test]
fn an_infinite_search_answers_only_after_stop_and_before_the_next_readyok() {
    for (bot, threads) in bots_and_threads() {
        let mut dialogue = Dialogue::new(bot);
        dialogue.send(threads);
        for go in ["go", "go infinite", "go infinite banana", "go depth x infinite"] {
            dialogue.send(&format!("position startpos\n{go}\nisready"));
            assert_eq!(dialogue.receive(), "readyok", "{bot}");
            thread::sleep(Duration::from_millis(50));
            dialogue.send("isready");
            assert_eq!(dialogue.receive(), "readyok", "{bot}");
            dialogue.send("stop\nisready");
            assert!(dialogue.receive().starts_with("bestmove "), "{bot}");
            assert_eq!(dialogue.receive(), "readyok", "{bot}");
        }
    }
}

#[test]
fn the_end_of_input_and_quit_end_a_search_with_its_bestmove() {
    for (bot, threads) in bots_and_threads() {
        for end in ["", "quit\n"] {
            let searches = "position startpos\ngo infinite\ngo\ngo depth 90\n";
            let lines = lines(bot, format!("{threads}{searches}{end}"));
            assert_eq!(with(&lines, "bestmove").len(), 3, "{bot} {end}: {lines:?}");
        }
    }
}

/// Regression test: a finished search that only waited for `stop` once kept its program alive
/// forever.
#[test]
fn a_finished_search_answers_at_the_end_of_input() {
    for (bot, threads) in bots_and_threads() {
        for last in ["", "quit\n"] {
            let mut command = Command::new(bot);
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
            let mut input = child.stdin.take().expect("piped");
            let output = child.stdout.take().expect("piped");
            let text = thread::spawn(move || std::io::read_to_string(output));
            let search = format!("{threads}position startpos\ngo infinite\n");
            input.write_all(search.as_bytes()).expect("the bot reads");
            // From outside it is not visible when an answer starts to wait; simple bots need no
            // time.
            thread::sleep(Duration::from_millis(100));
            input.write_all(last.as_bytes()).expect("the bot reads");
            drop(input);
            let ended = end(bot, &mut child);
            let text = text.join().expect("a reader").expect("text");
            assert_eq!(text.matches("bestmove").count(), 1, "{bot} {last}: {text}");
            assert!(ended.success(), "{bot} {last}: {ended}");
        }
    }
}

#[test]
fn a_rejected_position_leaves_none_and_names_the_wrong_word() {
    for bot in BOTS {
        for (position, part) in [
            ("position", "startpos or fen"),
            ("position here", "found `here`"),
            ("position fen x w - 0 1", "has `x`"),
            ("position fen 9/9/9/9/9 w", "no stone"),
            ("position startpos moves e2e3A e9e8", "move 2 `e9e8`"),
            ("position startpos moves e2e3A nonsense", "move 2: `nonsense`"),
        ] {
            let queries = "query fen\nquery gameover\nquery moves\nquery value\nquery p1turn";
            let input = format!("{position}\ngo nodes 1\ngo perft 3\n{queries}\nquery result\n");
            let lines = lines(bot, input);
            let text = with(&lines, "info").join("\n");
            assert!(text.contains(part), "{position}: {text}");
            assert_eq!(with(&lines, "bestmove"), ["bestmove 0000"]);
            assert_eq!(with(&lines, "nodes"), ["nodes 0"]);
            assert_eq!(with(&lines, "response"), ["response none"; 6]);
        }
    }
}

#[test]
fn queries_agree_with_the_rules() {
    let ask = |position: &str, query: &str| {
        let lines = lines(BOTS[0], format!("{position}\nquery {query}\n"));
        with(&lines, "response").join("")
    };
    let starved = "position fen bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w \
                   moves e2e3A e5e4 e3e2W f4e3";
    assert_eq!(ask(starved, "gameover"), "response true");
    assert_eq!(ask(starved, "result"), "response p1win");
    assert_eq!(ask(starved, "value"), "response win 0");
    assert_eq!(ask(starved, "moves"), "response");
    assert_eq!(ask("position startpos", "moves").split(' ').count(), 6);
    assert_eq!(ask("position startpos", "p1turn"), "response true");
    assert_eq!(ask("position startpos", "result"), "response none");
    assert_eq!(ask("position fen b4/5/5/5/4W b - 100 70", "result"), "response draw");
    assert_eq!(ask("position fen b4/5/5/5/4W b", "fen"), "response b4/5/5/5/4W b - 0 1");
}

#[test]
fn the_last_fields_of_a_position_may_be_missing_from_the_end_alone() {
    for bot in BOTS {
        for (fen, found) in [
            ("b4/5/5/5/4W w", "b4/5/5/5/4W w - 0 1"),
            ("b4/5/5/5/4W w -", "b4/5/5/5/4W w - 0 1"),
            ("b4/5/5/5/4W b w", "b4/5/5/5/4W b w 0 1"),
            ("b4/5/5/5/4W w - 7", "b4/5/5/5/4W w - 7 1"),
            ("b4/5/5/5/4W w - 007 9", "b4/5/5/5/4W w - 7 9"),
            // Digits side by side add up.
            ("b1111/23/5/41/22W w", "b4/5/5/5/4W w - 0 1"),
            ("B4/5/5/5/4w w", "b4/5/5/5/4W w - 0 1"),
            // No field is left out before another one, and there is no run of no points.
            ("b4/5/5/5/4W w 7 9", "none"),
            ("b4/5/5/5/4W - 7 9", "none"),
            ("b4/5/5/5/4W", "none"),
            ("b40/5/5/5/4W w", "none"),
            ("b4/5/5/5/4W w - +7 9", "none"),
            ("b4/5/5/5/4W w - 4294967296 9", "none"),
            ("b4/5/5/5/4W w - 7 0", "none"),
        ] {
            let lines = lines(bot, format!("position fen {fen}\nquery fen\n"));
            assert_eq!(with(&lines, "response"), [format!("response {found}")], "{bot} {fen}");
        }
    }
}

#[test]
fn max_plies_count_from_the_position_of_the_command() {
    let rules = "setoption name Rules value max-plies=2";
    for bot in BOTS {
        for (moves, over) in [("", false), (" moves e1d1", false), (" moves e1d1 a5a4", true)] {
            let position = format!("position fen b4/5/5/5/4W w - 40 60{moves}");
            let lines = lines(bot, format!("{rules}\n{position}\nquery gameover\n"));
            assert_eq!(with(&lines, "response"), [format!("response {over}")], "{bot}{moves}");
        }
    }
}

#[test]
fn new_rules_act_on_the_present_position() {
    let set = "setoption name Rules value";
    for bot in BOTS {
        let input = format!(
            "position startpos moves e2e3A\nquery moves\n{set} forced-continuation\nquery moves\n\
             go nodes 10\n{set} single-first-capture\nquery moves\ngo nodes 10\n\
             position startpos moves e2e3A f4e5We4A\nquery p1turn\n{set}\nquery p1turn\n\
             position startpos moves e2e3A f4e5We4A\n{set} single-first-capture\nquery p1turn\n\
             {set} max-plies=2\nquery result\n"
        );
        let lines = lines(bot, input);
        let mut answers: Vec<Vec<&str>> =
            with(&lines, "response").iter().map(|l| l.split(' ').skip(1).collect()).collect();
        answers.iter_mut().for_each(|moves| moves.sort());
        assert_eq!(answers[0], ["f4e5W", "f4e5We4A"], "{bot}");
        assert_eq!(
            (&answers[1][..], &answers[2][..]),
            (&["f4e5We4A"][..], &["f4e5W"][..]),
            "{bot}"
        );
        assert_eq!(with(&lines, "bestmove"), ["bestmove f4e5We4A", "bestmove f4e5W"], "{bot}");
        // By these rules the second move is not legal, and there is no position. A position that is
        // there remains, whatever its moves would be by the new rules.
        let rest: Vec<&str> = answers[3..].iter().map(|words| words[0]).collect();
        assert_eq!(rest, ["none", "none", "true", "draw"], "{bot}");
    }
}

#[test]
fn a_switch_takes_no_other_value() {
    for bot in BOTS {
        for (value, forced) in [
            ("forced-continuation", true),
            ("forced-continuation=true", true),
            ("forced-continuation=false", false),
            ("forced-continuation=on", false),
            ("forced-continuation=1", false),
            ("forced-continuation=TRUE", false),
            ("forced-continuation quiet=on", false),
        ] {
            let set = format!("setoption name Rules value {value}");
            let lines = lines(bot, format!("{set}\nposition startpos moves e2e3A\nquery moves\n"));
            let moves = with(&lines, "response")[0].split(' ').count() - 1;
            assert_eq!(moves, if forced { 1 } else { 2 }, "{bot} {value}");
            let is_named =
                with(&lines, "info").join("").contains(value.split(' ').next_back().unwrap());
            assert_eq!(
                is_named,
                value.contains("=on") || value.contains("=1") || value.contains("=T")
            );
        }
    }
}

#[test]
fn a_game_that_is_over_has_the_legal_moves_of_its_position() {
    for bot in BOTS {
        for (position, moves) in [
            ("b4/5/5/5/4W w - 0 1 moves e1d1 a5a4 d1e1 a4a5 e1d1 a5a4 d1e1 a4a5", 3),
            ("b4/5/5/5/4W w - 100 60", 3),
            // The game is over, but the stone could move.
            ("5/5/5/5/4W w", 3),
            ("5/5/5/5/4W b", 0),
            ("bbbbbbbbb/bbbbbbbbb/9/9/W8 w w", 0),
            ("WWW/WWW/WWb b", 0),
        ] {
            let asked = "query gameover\nquery moves\ngo perft 1\ngo perft 0\ngo depth 1";
            let lines = lines(bot, format!("position fen {position}\n{asked}\n"));
            let answers = with(&lines, "response");
            assert_eq!(answers[0], "response true", "{bot} {position}");
            assert_eq!(answers[1].split(' ').count() - 1, moves, "{bot} {position}: {answers:?}");
            let counts = [format!("nodes {moves}"), "nodes 1".to_owned()];
            assert_eq!(with(&lines, "nodes"), counts, "{bot} {position}");
            let over = !position.starts_with('b') || moves == 0;
            let none = with(&lines, "bestmove") == ["bestmove 0000"];
            assert_eq!(none, over, "{bot} {position}");
        }
    }
}

#[test]
fn commands_that_wait_are_obeyed_at_quit_and_at_the_end_of_input() {
    for bot in BOTS {
        for end in ["", "quit\nquery fen\ngo\n"] {
            let waiting =
                "query p1turn\nposition startpos moves e2e3A\nquery p1turn\ngo\nquery p1turn\n";
            let lines = lines(bot, format!("position startpos\ngo infinite\n{waiting}{end}"));
            let text: Vec<&str> = lines
                .iter()
                .filter(|l| !l.starts_with("info"))
                .map(|l| l.split(' ').next().unwrap())
                .collect();
            let order = ["bestmove", "response", "response", "bestmove", "response"];
            assert_eq!(text, order, "{bot} {end}: {lines:?}");
            let answers = ["response true", "response false", "response false"];
            assert_eq!(with(&lines, "response"), answers, "{bot} {end}");
        }
    }
}

#[test]
fn a_game_over_by_a_limit_still_gets_a_move_and_one_over_by_the_stones_does_not() {
    for bot in BOTS {
        let best = |fen: &str| {
            let lines = lines(bot, format!("position fen {fen}\ngo nodes 10\n"));
            with(&lines, "bestmove").join("")
        };
        assert_ne!(best("b4/5/5/5/4W b - 100 70"), "bestmove 0000");
        assert_eq!(best("5/5/5/5/4W w"), "bestmove 0000");
        assert_eq!(best("bbbbbbbbb/bbbbbbbbb/9/9/W8 w w"), "bestmove 0000");
        assert_eq!(best("WWW/WWW/WWb b"), "bestmove 0000");
    }
}

#[test]
fn rules_are_replaced_as_a_whole() {
    let fen = "bbbbbbbbb/bbbbbbbbb/9/9/W8 w w";
    let input = format!(
        "setoption name Rules value vela-starved=paika quiet=5\nposition fen {fen}\nquery gameover\n\
         setoption name rules value nonsense\nquery gameover\n\
         setoption name Rules value quiet=7\nquery gameover\n\
         setoption name Rules value\nquery gameover\n"
    );
    let lines = lines(BOTS[0], input);
    let answers = with(&lines, "response");
    assert_eq!(answers, ["response false", "response false", "response true", "response true"]);
    assert!(with(&lines, "info").join("").contains("unknown rule `nonsense`"));
}

#[test]
fn perft_counts_and_names_every_move() {
    for bot in BOTS {
        let lines = lines(bot, "position startpos\ngo perft 4\nquit\n");
        assert_eq!(lines.len(), 6, "{lines:?}");
        assert_eq!(lines[5], "nodes 18026");
        let sum: u64 =
            lines[..5].iter().map(|l| l.split(": ").nth(1).unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(sum, 18026);
    }
}

#[test]
fn a_long_perft_can_be_stopped() {
    let mut dialogue = Dialogue::new(BOTS[0]);
    dialogue.send("go perft 40\nisready");
    assert_eq!(dialogue.receive(), "readyok");
    dialogue.send("stop");
    assert!(dialogue.receive().starts_with("nodes "));
    dialogue.send("go perft 4000000000\ngo perft\ngo perft x\ngo perft -1\ngo perft 1 2");
    for _ in 0..5 {
        assert_eq!(dialogue.receive(), "nodes 0");
    }
}

#[test]
fn with_nodes_and_a_seed_the_output_is_the_same_every_time() {
    for bot in BOTS {
        let play = |seed: u32| {
            let mut dialogue = Dialogue::new(bot);
            dialogue.send(&format!("setoption name Seed value {seed}\nuginewgame"));
            let mut game = String::new();
            let mut answers = Vec::new();
            for _ in 0..12 {
                dialogue.send(&format!("position startpos moves{game}\ngo nodes 300"));
                let best = dialogue.receive();
                let mv = best.strip_prefix("bestmove ").expect("an answer").to_owned();
                if mv == "0000" {
                    break;
                }
                game = format!("{game} {mv}");
                answers.push(mv);
            }
            answers
        };
        assert_eq!(play(7), play(7), "{bot}");
    }
}

#[test]
fn whole_games_are_legal_under_every_switch_on_every_board() {
    for (index, rules) in [
        "",
        "forced-continuation",
        "single-first-capture blocked-is-draw",
        "vela-starved=paika vela-must-offer",
        "vela-starved=debtor-loses quiet=30 repetition=2",
        "max-plies=40 repetition=0 quiet=0",
    ]
    .into_iter()
    .enumerate()
    {
        let ruleset: Ruleset = rules.parse().unwrap();
        for bot in BOTS {
            for size in ["9x5", "5x5", "3x3", "5x9", "3x9", "7x3"] {
                let start: Start = size.parse().unwrap();
                let start =
                    if index % 2 == 0 { start.riatra() } else { start.vela(ruleset.vela_starter) };
                let mut dialogue = Dialogue::new(bot);
                dialogue.send(&format!("setoption name Rules value {rules}\nuginewgame"));
                let mut game = Game::new(ruleset, start);
                let mut moves = String::new();
                while game.ending().is_none() && game.moves().len() < 30 {
                    dialogue.send(&format!("position fen {start} moves{moves}\ngo nodes 50"));
                    let best = dialogue.receive();
                    let mv = best.strip_prefix("bestmove ").expect("an answer");
                    game.play(&mv.parse().expect(mv)).expect(mv);
                    moves = format!("{moves} {mv}");
                }
            }
        }
    }
}

/// The bench signature of each bot, in the order of [`BOTS`], on every machine and in every build.
/// A change of a bot's behaviour changes its number here on purpose.
const SIGNATURES: [u64; 4] = [18, 3052, 254_128, 2_434_851];

#[test]
fn the_bench_counts_the_same_nodes_every_time_and_names_the_build() {
    for (bot, nodes) in BOTS.into_iter().zip(SIGNATURES) {
        let mut dialogue = Dialogue::new(bot);
        // What a search has left in tables and trees makes no difference.
        dialogue.send(&format!("position fen {OPENED}\ngo nodes 5000"));
        assert!(dialogue.receive().starts_with("bestmove "), "{bot}");
        dialogue.send("ugi\nbench");
        let lines = dialogue.until(|line| line.ends_with(" nps"));
        let counted: Vec<_> = lines.iter().filter(|line| line.ends_with(" nodes")).collect();
        assert_eq!(counted, [&format!("{nodes} nodes")], "{bot}: {lines:?}");
        // The handshake and the bench name the same level of instructions.
        let name = lines[0].strip_prefix("id name ").expect("a name comes first");
        assert!(lines.contains(&format!("info string {name}")), "{lines:?}");
        #[cfg(target_arch = "x86_64")]
        assert_eq!(name.contains(" (x86-64-v"), is_x86_feature_detected!("avx2"), "{name}");
        #[cfg(target_arch = "aarch64")]
        assert!(name.ends_with(" (neon)"), "{name}");
        assert!(name.ends_with(')') && name.contains(env!("CARGO_PKG_VERSION")), "{name}");
    }
}

#[test]
fn no_bytes_crash_or_hang_a_bot() {
    // Words of the protocol, complete and broken, between random bytes.
    let words: [&[u8]; 24] = [
        b"go",
        b"position",
        b"startpos",
        b"fen",
        b"moves",
        b"setoption",
        b"name",
        b"value",
        b"Rules",
        b"Hash",
        b"Seed",
        b"-1",
        b"99999999999999999999",
        b"e2e3A",
        b"0000",
        b"stop",
        b"ugi",
        b"isready",
        b"query",
        b"perft",
        b"\xff\xfe",
        b"\0",
        b"\x1b[2J",
        b"bbb/b1W/WWW w - 4294967295 4294967295",
    ];
    let mut state = 1u64;
    let mut random = move |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    for bot in BOTS {
        let mut input = Vec::new();
        for _ in 0..400 {
            for _ in 0..random(6) {
                input.extend_from_slice(words[random(words.len())]);
                input.push(if random(9) == 0 { random(256) as u8 } else { b' ' });
            }
            input.push(b'\n');
        }
        input.extend_from_slice(&vec![b'x'; 200_000]);
        input.extend_from_slice(b"\nisready\n");
        let output = feed(bot, &input);
        assert!(output.status.success(), "{bot}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("a bot prints UTF-8");
        assert!(text.contains("a line is longer than 65536 bytes"), "{bot}");
        assert!(text.lines().any(|line| line == "readyok"), "{bot}");
    }
}

#[test]
fn a_position_that_is_too_long_leaves_none() {
    let long = "x".repeat(70_000);
    let input = format!("position startpos moves e2e3A\nposition {long}\nquery fen\ngo nodes 1\n");
    for bot in BOTS {
        let text = String::from_utf8(feed(bot, input.as_bytes()).stdout).unwrap();
        assert!(text.ends_with("response none\nbestmove 0000\n"), "{bot}: {text}");
    }
}

#[test]
fn a_manager_that_closes_its_pipe_is_not_an_error() {
    for bot in BOTS {
        let mut dialogue = Dialogue::new(bot);
        dialogue.send("ugi");
        dialogue.receive();
        let Dialogue { child, input, output } = &mut dialogue;
        let mut rest = [0; 1];
        drop(std::mem::replace(output, BufReader::new(fake_stdout())));
        // Writing the answer to this fails.
        let _ = input.write_all(b"isready\nisready\nisready\nquit\n");
        let _ = output.read(&mut rest);
        end(bot, child);
    }
}

/// The output of a program that says nothing.
fn fake_stdout() -> ChildStdout {
    let mut child =
        Command::new("true").stdout(Stdio::piped()).spawn().expect("`true` is everywhere");
    let output = child.stdout.take().expect("piped");
    let _ = child.wait();
    output
}

/// The words of an answer to `go`.
fn words_of_answer(dialogue: &mut Dialogue) -> usize {
    let answer = dialogue.receive();
    assert!(answer.starts_with("bestmove "), "{answer}");
    answer.split(' ').count()
}

#[test]
fn a_search_in_the_opponents_time_answers_after_the_hit_or_stop() {
    for bot in BOTS {
        let mut dialogue = Dialogue::new(bot);
        dialogue.send(&format!("position fen {OPENED}\nponderhit\nisready"));
        assert_eq!(dialogue.receive(), "readyok", "nothing to hit");
        for limit in ["depth 1", "movetime 1", "p1time 0", "nodes 5"] {
            dialogue.send(&format!("go ponder {limit}"));
            for _ in 0..20 {
                dialogue.send("isready");
                assert_eq!(dialogue.receive(), "readyok", "{bot}: {limit}");
            }
            dialogue.send("ponderhit");
            assert_eq!(words_of_answer(&mut dialogue), 2, "{bot}: {limit}");
            dialogue.send(&format!("go ponder {limit}\nstop\nisready"));
            assert_eq!(words_of_answer(&mut dialogue), 2, "{bot}: {limit}");
            assert_eq!(dialogue.receive(), "readyok");
        }
        // A hit may come before the search has begun, behind one in the bot's own time.
        dialogue.send("go movetime 20\ngo ponder movetime 20\nponderhit\nisready");
        // On a busy machine the searches may be over before the last line is read.
        let mut answers = Vec::new();
        let count = |answers: &[String]| ["bestmove", "readyok"].map(|it| with(answers, it).len());
        while count(&answers).iter().sum::<usize>() < 3 {
            answers.extend(dialogue.until(|line| !line.starts_with("info")));
        }
        assert_eq!(count(&answers), [2, 1], "{bot}: {answers:?}");
    }
}

#[test]
fn bots_that_search_name_the_reply_they_expect_if_it_is_wanted() {
    for bot in BOTS {
        let declares = lines(bot, "ugi").iter().any(|line| line.contains(" Ponder type check"));
        assert_eq!(declares, bot.contains("mcts") || bot.contains("alphabeta"), "{bot}");
        let mut dialogue = Dialogue::new(bot);
        dialogue.send(&format!("position fen {OPENED}\ngo nodes 3000"));
        assert_eq!(words_of_answer(&mut dialogue), 2, "{bot}");
        if !declares {
            continue;
        }
        dialogue.send("setoption name Ponder value true\ngo nodes 3000");
        let answer = dialogue.receive();
        let [_, mv, "ponder", reply] = answer.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{bot}: {answer}")
        };
        let mut game = Game::new(Ruleset::default(), OPENED.parse().unwrap());
        for mv in [mv, reply] {
            game.play(&mv.parse().unwrap()).expect("it expects a legal move");
        }
    }
}
