import Testing
import TextAnalysis

@Suite("Joined words")
struct JoinedWordTests {
    private func words(in text: String) -> [JoinedWord] {
        JoinedWord.find(in: text, tokens: TextAnalyzer.tokens(of: text, language: .other))
    }

    @Test(
        "is one word beside its parts",
        arguments: [
            ("set RESTAURANT_SIGNALS to on", ["restaurant_signals"]), ("open pump-log and look", ["pump-log"]),
            ("see AB-123, then v2.3.1.", ["ab-123", "v2.3.1"]), ("(main.swift)", ["main.swift"]),
            ("src/pump-log.swift", ["src/pump-log.swift", "pump-log", "pump-log.swift"]),
            ("std::vector", ["std::vector"]), ("#deploy and #123", ["#deploy", "#123"]),
            ("#release-2", ["#release-2", "release-2"]),
            ("C++, C# or F#?", ["c++", "c#", "f#"]), ("Größen-Log", ["großen-log"]), ("__init__", []),
            ("a__b", ["a__b"]),
            ("10.0.0.1", ["10.0.0.1"]), ("mail jo@harbour.example", ["jo@harbour.example", "harbour.example"]),
            ("--dry-run", ["dry-run"]), ("日本-log", []), ("plain words, and - signs ... (here)", []), ("well...ok", []),
            ("don't", []), ("", []), ("-", []),
        ])
    func isOneWord(text: String, terms: [String]) {
        #expect(words(in: text).map(\.term) == terms.map { $0.replacing("ß", with: "ss").replacing("ö", with: "o") })
    }

    @Test("tells names from words that a hyphen or a dot joins")
    func names() {
        func isName(_ text: String) -> [Bool] { words(in: text).map(\.isName) }

        for text in ["A_B", "pump_log", "AB-123", "main.swift", "UK-based", "v2.3", "#deploy", "c++"] {
            #expect(isName(text) == [true], "\(text)")
        }
        for text in ["pump-log", "Wi-Fi", "and/or", "U.S.", "done.Then", "17:30", "10-15", "3.5"] {
            #expect(!isName(text).contains(true), "\(text)")
        }
    }

    @Test("says where it is")
    func places() {
        #expect(words(in: "é pump-log").map(\.range) == [3..<11])
    }

    @Test("leaves out runs that are longer than any name")
    func longRuns() {
        #expect(words(in: Array(repeating: "ab", count: 60).joined(separator: "-")) == [])
        #expect(words(in: String(repeating: "a.", count: 50_000)).count < 2)
    }
}
