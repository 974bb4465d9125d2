import Assistant
import ChatCore
import Logging
import TestSupport
import Testing

/// Later messages that make stored answers wrong.
@Suite struct OutdatedAnswerTests {
    private let store = InMemoryStore()

    private var service: OutdatedAnswerService {
        OutdatedAnswerService(store: store, now: { .second(90_000) }, logger: Logger(label: "test"))
    }

    /// Makes a conversation, posts messages of Bob, and stores an answer that cites all of them.
    private func furnish(_ texts: [String], answer: String, id: TurnID = "t") async throws {
        _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        _ = try await service.compare(after: nil)
        var keys: [MessageKey] = []
        for (place, text) in texts.enumerated() {
            keys.append(try await post("old\(place)", text, at: 100 * (place + 1)))
        }
        try await record(answer, citing: keys, as: id)
    }

    private func record(_ answer: String, citing keys: [MessageKey], as id: TurnID) async throws {
        try await store.record(
            Turn(
                id: id, askerID: "ada", question: "and?", answer: answer, sourceKeys: keys, askedAt: .second(10_000),
                reply: TurnReply(
                    sources: keys.enumerated().map { .init(key: $1, number: $0 + 1, rank: $0 + 1, relevance: 0.5) },
                    citations: [], notices: [], noAnswerReason: "none", mode: "hybrid")))
    }

    @discardableResult
    private func post(_ id: String, _ text: String, replyTo: MessageID? = nil, at second: Int) async throws
        -> MessageKey
    {
        var message = Message.short("c", MessageID(rawValue: id), by: "bob", text, at: second)
        message.replyToID = replyTo
        _ = try await store.accept([message], source: "api", mode: .posting, at: .second(second))
        return message.key
    }

    /// Compares what is new, and returns the message that makes a turn wrong.
    private func outdated(_ id: TurnID = "t") async throws -> MessageID? {
        _ = try await service.compare(after: nil)
        let turn = try await store.turn(id, of: "ada")
        return try await store.readable([turn], at: .second(90_001)).first?.outdated?.message.key.messageID
    }

    @Test(arguments: [
        (
            "The launch of the ferry line is on 27 October.", "The launch of the ferry line is on 27 October. [1]",
            "The launch of the ferry line has been moved to 3 November."
        ),
        (
            "Der Start der Fährlinie ist am 27. Oktober.", "Die Fährlinie startet am 27. Oktober [1].",
            "Der Start der Fährlinie ist auf den 3. November verschoben."
        ),
        (
            "El lanzamiento de la línea es el 27 de octubre.", "El lanzamiento de la línea es el 27 de octubre [1].",
            "El lanzamiento de la línea se aplaza al 3 de noviembre."
        ),
        (
            "Le lancement de la ligne est le 27 octobre.", "Le lancement de la ligne est le 27 octobre [1].",
            "Le lancement de la ligne est reporté au 3 novembre."
        ),
        ("フェリー路線の開始は10月27日です。", "フェリー路線の開始は10月27日です。[1]", "フェリー路線の開始は11月3日に変更になりました。"),
    ])
    func aMovedDateMakesTheAnswerWrong(old: String, answer: String, new: String) async throws {
        try await furnish([old], answer: answer)
        #expect(try await outdated() == nil)

        try await post("new", new, at: 20_000)

        #expect(try await outdated() == "new")
    }

    /// The rules know no word for the change, or find one where there is none; people know better.
    @Test func peopleSayWhatMakesAnAnswerWrong() async throws {
        try await furnish(
            ["The launch of the ferry line is on 27 October."],
            answer: "The launch of the ferry line is on 27 October [1].")
        try await post("plain", "Captain says 3 November for that ferry line, all clear.", at: 20_000)
        try await post("moved", "The launch of the ferry line has been moved to 9 November.", at: 30_000)
        #expect(try await outdated() == "moved")
        func say(_ kind: ReplacementVerdict.Kind?, by newer: MessageID) async throws {
            let subject = ReplacementVerdict.Subject(older: .of("c", "old0"), newer: .of("c", newer))
            try await store.setVerdict(kind, on: subject, by: "ada", at: .second(40_000))
        }

        try await say(.holds, by: "moved")
        #expect(try await outdated() == nil)
        try await say(.replaced, by: "plain")
        #expect(try await outdated() == "plain")
        try await say(nil, by: "plain")
        #expect(try await outdated() == nil)
        try await say(nil, by: "moved")
        #expect(try await outdated() == "moved")
    }

    @Test func anAnswerAboutAnotherStatementOfTheMessageStaysTrue() async throws {
        let key = "The launch of the ferry line is on 27 October. The budget for flyers is 500 euros."
        try await furnish([key], answer: "The budget for flyers is 500 euros [1].")
        try await record("The launch of the ferry line is on 27 October [1].", citing: [.of("c", "old0")], as: "date")

        try await post("new", "The launch of the ferry line has been moved to 3 November.", at: 20_000)

        #expect(try await outdated() == nil)
        #expect(try await outdated("date") == "new")
    }

    @Test(arguments: [
        "Could we move the launch of the ferry line to 3 November?",
        "If it rains, the launch of the ferry line is moved to 3 November.",
        "The launch of the ferry line is on 27 October.",
        "The rehearsal of the choir has been moved to 3 November.",
    ])
    func questionsConditionsAndOtherSubjectsChangeNothing(_ text: String) async throws {
        try await furnish(
            ["The launch of the ferry line is on 27 October."],
            answer: "The launch of the ferry line is on 27 October [1].")

        try await post("new", text, at: 20_000)

        #expect(try await outdated() == nil)
    }

    @Test func anAnswerThatAlreadySaysSoStaysTrue() async throws {
        try await furnish(
            [
                "The launch of the ferry line is on 27 October.",
                "The launch of the ferry line has been moved to 3 November.",
            ], answer: "The launch of the ferry line has been moved to 3 November [2].")

        try await post("new", "Again: the launch of the ferry line has been moved to 3 November.", at: 20_000)

        #expect(try await outdated() == nil)
    }

    @Test func aReplySaysWhatMoved() async throws {
        try await furnish(
            ["The launch of the ferry line is on 27 October.", "Please bring the long ropes."],
            answer: "The launch of the ferry line is on 27 October [1].")

        try await post("new", "It has been moved to 3 November.", replyTo: "old0", at: 20_000)

        #expect(try await outdated() == "new")
    }

    /// "It" is what the messages before were about, and not what somebody asked about long ago.
    @Test func withoutAReplyItIsNotWhatWasSaidManyMessagesBefore() async throws {
        try await furnish(
            ["The launch of the ferry line is on 27 October."],
            answer: "The launch of the ferry line is on 27 October [1].")
        for place in 0..<4 {
            try await post("chat\(place)", "The rehearsal is on 12 October, bring lamps.", at: 200 + place)
        }

        try await post("new", "It has been moved to 3 November.", at: 300)

        #expect(try await outdated() == nil)
    }

    @Test func anEditOfTheLaterMessageIsComparedAgain() async throws {
        try await furnish(
            ["The launch of the ferry line is on 27 October."],
            answer: "The launch of the ferry line is on 27 October [1].")
        let key = try await post("new", "We meet at noon.", at: 20_000)
        #expect(try await outdated() == nil)

        _ = try await store.edit(
            key, text: "The launch of the ferry line has been moved to 3 November.", at: .second(20_001))
        #expect(try await outdated() == "new")
        _ = try await store.edit(key, text: "We meet at one.", at: .second(20_002))
        #expect(try await outdated() == nil)
    }

    @Test func anAnswerIsNotedOnceThoughMessagesAreComparedAgain() async throws {
        try await furnish(
            ["The launch of the ferry line is on 27 October."],
            answer: "The launch of the ferry line is on 27 October [1].")
        try await post("new", "The launch of the ferry line has been moved to 3 November.", at: 20_000)
        let start = try await store.latestChange()

        for _ in 0..<3 { _ = try await service.compare(after: nil) }

        let changes = try await store.changes(after: start, limit: 99).changes
        #expect(changes.map(\.subject) == [.threads("ada")])
    }

    @Test func aPostedAnswerBecomesWrongToo() async throws {
        try await furnish([], answer: "nothing")
        _ = try await store.beginMentions()
        let old = try await post("old", "The launch of the ferry line is on 27 October.", at: 100)
        let question = try await post("q", "@ai when is the launch?", at: 200)
        try await store.queueMentions([question], through: store.latestChange(), at: .second(201))
        var answer = Message.short(
            "c", "a", by: "nexus",
            "The launch of the ferry line is on 27 October [1].\n\n[1] Name of bob, 2025-06-15", at: 300)
        answer.kind = .assistant
        let posting = try await store.post(
            answer, to: question, as: .answered, standingOn: [old], isDelivered: false, at: .second(300))
        #expect(posting == .posted)
        let start = try await store.latestChange()

        try await post("other", "The rehearsal of the choir has been moved to 4 November.", at: 20_000)
        try await post("new", "The launch of the ferry line has been moved to 3 November.", at: 20_001)
        _ = try await service.compare(after: nil)

        let changes = try await store.changes(after: start, limit: 99).changes
        #expect(changes.map(\.subject) == [.message("other"), .message("new"), .message("a")])
    }
}
