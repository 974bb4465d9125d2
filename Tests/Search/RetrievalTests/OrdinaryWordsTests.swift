import ChatCore
import Retrieval
import TestSupport
import Testing
import TextAnalysis

@Suite struct OrdinaryWordsTests {
    private static let names = NameIndex([
        Participant(id: "pm", displayName: "Project Manager"), Participant(id: "mara", displayName: "Mara Lind"),
    ])

    /// The manager writes of the project, the others to Mara, and everybody of general things.
    private static func lexicon(_ bench: LexiconBench) async throws -> LiveLexicon {
        let store = InMemoryStore()
        _ = try await store.store(
            [.sample("c", members: ["pm", "mara", "ben"])], source: "test", mode: .importing, at: bench.clock.now())
        let texts: [(UserID, String)] = [
            ("pm", "the projects of this month are late"), ("ben", "Mara, can you call them?"),
            ("mara", "in general I can"), ("ben", "thanks Mara"),
        ]
        let messages = (0..<40).map { number in
            Message.sample(
                "c", MessageID(rawValue: "m\(number)"), by: texts[number % 4].0, texts[number % 4].1, at: number)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: bench.clock.now())
        let lexicon = bench.start(store, hasFiles: false).lexicon
        try await lexicon.follow()
        return lexicon
    }

    @Test(arguments: [
        // The person with this name writes it, also as its plural.
        ("project", true),
        // Others write it to her, she does not.
        ("mara", false), ("manager", false),
        // Nobody's name.
        ("general", true), ("month", true), ("betelgeuse", false),
    ])
    func aNameIsWhatItsBearersDoNotWrite(word: String, isOrdinary: Bool) async throws {
        let bench = LexiconBench()

        let lexicon = try await Self.lexicon(bench)

        #expect(lexicon.isOrdinary(word, names: Self.names) == isOrdinary)
    }
}
