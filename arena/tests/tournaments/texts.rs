//! Text files as other programs save them: with a byte order mark, and in other encodings.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

const GAMES: &str = "\
game,pair,session,kind,white,black,result,reason,start,moves
1.1,,1,riatra,ann,bob,1-0,resign,bbb/b1W/WWW w - 0 1,a1b2A
2.1,,2,riatra,bob,ann,1-0,resign,bbb/b1W/WWW w - 0 1,a1b2A
";

const SESSIONS: &str = "session,pair,first,second,result\n1,1,ann,bob,1-0\n2,1,bob,ann,1-0\n";

const FGN: &str = "\
[White \"ann\"]\n[Black \"bob\"]\n[Result \"1-0\"]\n[Termination \"resign\"]\n[FEN \"bbb/b1W/WWW w - 0 1\"]\n\n1. a1b2A 1-0\n";

/// Every command that reads a text with the texts it reads. `{N}` stands for the number of the run.
const READERS: &[(&[&str], &[&str])] = &[
    (&["run", "t.toml", "--out", "out{N}"], &["t.toml", "openings.txt"]),
    (&["plan", "t.toml"], &["t.toml", "openings.txt"]),
    (&["rate", "games.csv"], &["games.csv", "sessions.csv"]),
    (&["compare", "games.csv", "games.csv"], &["games.csv"]),
    (&["show", "games.csv", "1.1"], &["games.csv"]),
    (&["show", "games.fgn", "1"], &["games.fgn"]),
    (&["convert", "games.csv"], &["games.csv"]),
    (&["convert", "games.fgn"], &["games.fgn"]),
    (&["convert", "table.txt"], &["table.txt"]),
    (&["convert", "tags.txt"], &["tags.txt"]),
    (&["convert", "positions.txt"], &["positions.txt"]),
    (&["convert", "positions.fen"], &["positions.fen"]),
    (&["report", "results"], &["results/config.toml"]),
    (&["league", "class", "list"], &["class/league.toml", "class/members.json"]),
    (&["league", "class", "add", "ada{N}", "sub"], &["sub/bot.toml"]),
];

#[test]
fn every_text_may_begin_with_a_byte_order_mark() {
    let place = Place::new();
    place.write("openings.txt", "startpos e2e3A\nstartpos d2e3A\n");
    let head = HEAD.replace(
        "{ source = \"random\", plies = 2 }",
        "{ source = \"file\", path = \"openings.txt\" }",
    );
    let config = place.config(&head, &[("a", ""), ("b", "")]);
    place.play(&config, "results");
    for (name, text) in [
        ("games.csv", GAMES),
        ("sessions.csv", SESSIONS),
        ("games.fgn", FGN),
        ("table.txt", GAMES),
        ("tags.txt", FGN),
        ("positions.txt", "bbb/b1W/WWW w - 0 1\n"),
        ("positions.fen", "bbb/b1W/WWW w - 0 1\n"),
    ] {
        place.write(name, text);
    }
    place.arena_ends(0, &["league", "class", "init"]);
    fs::create_dir(place.path("sub")).unwrap();
    place.write("sub/first.py", include_str!("../../guides/examples/first_bot.py"));
    // The text is longer than a mark, and its bytes are not all ASCII.
    place.write("sub/bot.toml", "command = \"python3 first.py\"\nauthor = \"Zo\u{e9}\"\n");
    place.arena_ends(0, &["league", "class", "add", "first", "sub"]);

    let mut number = 0;
    let mut run = |args: &[&str]| {
        number += 1;
        let args: Vec<String> =
            args.iter().map(|arg| arg.replace("{N}", &number.to_string())).collect();
        place.arena(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for &(args, files) in READERS {
        let plain = run(args);
        assert_eq!(plain.code, Some(0), "{args:?}: {}", plain.stderr);
        for file in files {
            let text = fs::read_to_string(place.path(file)).unwrap();
            place.write(file, &format!("\u{feff}{text}"));
            let marked = run(args);
            assert_eq!(marked.code, Some(0), "{args:?} with {file}: {}", marked.stderr);
            if args[0] == "convert" {
                assert_eq!(marked.stdout, plain.stdout, "{args:?} with {file}");
            }
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            fs::write(place.path(file), wide).unwrap();
            let refused = run(args);
            assert_ne!(refused.code, Some(0), "{args:?} with {file}: {}", refused.stdout);
            let name = file.rsplit('/').next().unwrap();
            refused.complains(&[name, "it is UTF-16 or UTF-32; save it as UTF-8"]);
            place.write(file, &text);
        }
    }
}
