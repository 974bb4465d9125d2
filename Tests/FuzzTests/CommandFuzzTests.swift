import App
import ArgumentParser
import Foundation
import Retrieval
import Testing

/// Command lines and settings with extremes.
@Suite("Fuzz: commands and settings") struct CommandFuzzTests {
    private static let lines = [
        "serve --port 8080 --set http.drain-seconds=5", "search --user ada --top-k 5 --from 2025-01-01T00:00:00Z q",
        "ask --user ada --top-k 5 --time-zone UTC q",
        "reembed --dimensions 64 --rate 5 --switch-at 0.5 --since 2025-01-01",
        "generations switch 2", "generations drop 1", "generations compare 1 2 --recent 50",
        "threads list --user ada --limit 50",
        "turns list --user ada --limit 20", "eval run --dataset d --k 1,5,10 --limit 3 --depth 50",
        "eval tune --dataset d --folds 5 --random 16 --halvings 3 --seed 1 --weight fusion.window=0:2",
        "eval compare a.json b.json --require recall@10=0.5",
        "priorities --user ada --conversation c --since 2025-01-01T00:00:00Z",
        "summarize --user ada --conversation c --since 2025-01-01T00:00:00Z", "import --date-order dmy file",
        "import --open-channels --dry-run --time-zone UTC file", "users map --csv file --yes",
        "users map --source s --conversation c a b",
        "erase --conversation c --yes", "keys create --user ada --expires 2026-01-01", "status --json", "config --keys",
    ].map { $0.split(separator: " ").map(String.init) }

    @Test func noCommandLineEndsTheParsing() {
        var chance = FuzzRun.chance(7)
        let count = FuzzRun.count(1_500)
        var parsed = 0
        for _ in 0..<count {
            var line = chance.one(of: Self.lines)
            for _ in 0..<chance.below(3) {
                let place = chance.below(line.count)
                let extreme = chance.isTrue(60) ? chance.one(of: Extremes.numbers) : chance.one(of: Extremes.texts)
                if let sign = line[place].firstIndex(of: "="), chance.isTrue(70) {
                    line[place] = line[place][...sign] + extreme
                } else if chance.isTrue(80) {
                    line[place] = extreme
                } else {
                    line.remove(at: place)
                }
                if line.isEmpty { break }
            }
            FuzzRun.note(line.joined(separator: " "))
            if (try? NexusCommand.parseAsRoot(line)) != nil { parsed += 1 }
        }
        FuzzRun.finished("command lines", count)
        #expect(parsed > count / 20)
    }

    @Test func noValueOfASettingEndsTheReading() async {
        var chance = FuzzRun.chance(8)
        let count = FuzzRun.count(300)
        let keys = Settings.all.filter { !$0.name.hasSuffix("-file") && !$0.name.hasSuffix("folder") }.map(\.name)
        var read = 0
        for _ in 0..<count {
            var values: [String: String] = [:]
            for _ in 0..<(1 + chance.below(3)) {
                values[chance.one(of: keys)] =
                    chance.isTrue(60) ? chance.one(of: Extremes.numbers) : chance.one(of: Extremes.texts)
            }
            FuzzRun.note("\(values)")
            if await SettingsProbe.reads(values) { read += 1 }
        }
        FuzzRun.finished("settings", count)
        #expect(read > 0)
    }

    @Test func noFileOfSearchSettingsEndsTheReading() throws {
        var chance = FuzzRun.chance(11)
        let mutation = try JSONMutation(String(decoding: RetrievalSettings().encoded(), as: UTF8.self))
        let count = FuzzRun.count(300)
        var read = 0
        for _ in 0..<count {
            let text = mutation.text(&chance)
            FuzzRun.note(text)
            if (try? RetrievalSettings(json: Data(text.utf8))) != nil { read += 1 }
        }
        FuzzRun.finished("search settings", count)
        #expect(read > 0)
    }
}
