// The shortest bot in JavaScript: it knows no rules and plays the longest move it is told, which is
// the one with the most captures. Start it with `node first_bot.js`.

const input = require("node:readline").createInterface({ input: process.stdin });

input.on("line", (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === "ugi") {
    console.log("id name first_bot in JavaScript\nugiok");
  } else if (words[0] === "isready") {
    console.log("readyok");
  } else if (words[0] === "go") {
    const told = words.indexOf("searchmoves");
    const moves = told < 0 ? [] : words.slice(told + 1);
    const best = moves.reduce((one, other) => (other.length > one.length ? other : one), "");
    console.log("bestmove " + (best || "0000"));
  } else if (words[0] === "quit") {
    process.exit();
  }
});
