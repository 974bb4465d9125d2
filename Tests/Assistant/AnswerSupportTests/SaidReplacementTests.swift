import AnswerSupport
import ChatCore
import Testing

/// What people say about statements comes before what the rules find.
@Suite struct SaidReplacementTests {
    private static let start = Timestamp(microseconds: 1_791_190_800_000_000)

    /// Makes messages, a day apart.
    private static func messages(_ texts: String...) -> [DatedMessage] {
        texts.enumerated().map { place, text in
            DatedMessage(
                text: text, senderName: "Ada", sentAt: start + .seconds(place * 86_400), timeZone: "UTC",
                conversation: "general")
        }
    }

    private static let moved = messages(
        "The ferry launch is on 12 October.", "The ferry launch is moved to 20 October.",
        "The ferry launch is moved to 27 October.")

    /// Returns each statement as `message>message that replaces it`, or the message alone, in order of time.
    private func read(_ messages: [DatedMessage], about subject: String = "ferry launch") -> [String] {
        TimelineReader().statements(about: subject, in: messages).reversed().map { statement in
            "\(statement.place.message)" + (statement.replacedBy.map { ">\($0.message)" } ?? "")
        }
    }

    private func read(_ messages: [DatedMessage], said: [(older: Int, isReplaced: Bool, newer: Int)]) -> [String] {
        var messages = messages
        for (older, isReplaced, newer) in said {
            messages[older].verdicts.append(
                DatedVerdict(isReplaced: isReplaced, newer: newer, sentAt: messages[newer].sentAt))
        }
        return read(messages)
    }

    @Test func theRulesDecideWithoutAVerdict() {
        #expect(read(Self.moved) == ["0>2", "1>2", "2"])
    }

    @Test(
        arguments: [
            // It holds after the last message, so the one between replaced nothing either.
            ([(0, false, 2)], ["0", "1>2", "2"]),
            // What came later may have replaced it.
            ([(0, false, 1)], ["0>2", "1>2", "2"]),
            ([(1, false, 2)], ["0>2", "1", "2"]),
            ([(0, true, 1)], ["0>2", "1>2", "2"]),
            // The last verdict wins.
            ([(0, false, 2), (0, true, 2)], ["0>2", "1>2", "2"]),
            ([(0, true, 2), (0, false, 2)], ["0", "1>2", "2"]),
            ([(0, false, 2), (0, true, 1), (1, false, 2)], ["0>1", "1", "2"]),
            // Who named an earlier message did not say that it holds.
            ([(0, true, 2), (0, false, 1)], ["0>2", "1>2", "2"]),
        ] as [([(Int, Bool, Int)], [String])])
    func theLastVerdictWins(said: [(older: Int, isReplaced: Bool, newer: Int)], statements: [String]) {
        #expect(read(Self.moved, said: said) == statements)
    }

    /// The rules know no word for the change, and of the last messages one states nothing at all.
    @Test func aPersonNamesWhatTheRulesMiss() {
        let messages = Self.messages(
            "The ferry launch is on 12 October.", "Captain says 27 October for that ferry launch, sorry all.",
            "Forget about it.")

        #expect(read(messages) == ["0", "1"])
        #expect(read(messages, said: [(0, true, 1)]) == ["0>1", "1"])
        #expect(read(messages, said: [(0, true, 2)]).contains("0>2"))
        #expect(read(messages, said: [(0, true, 1), (1, true, 2)]).contains("1>2"))
    }

    @Test func aVerdictOnAStatementLeavesTheOthersAlone() throws {
        var messages = Self.messages(
            "The ferry launch is on 12 October. The ferry launch costs 300 euros.",
            "The ferry launch is moved to 20 October. The ferry launch now costs 400 euros.")
        let text = messages[0].text
        let date = try #require(text.firstRange(of: "The ferry launch is on 12 October."))
        #expect(read(messages).filter { $0 == "0>1" }.count == 2)

        let end = text.utf8.distance(from: text.startIndex, to: date.upperBound)
        messages[0].verdicts = [DatedVerdict(isReplaced: false, range: 0..<end, newer: 1, sentAt: messages[1].sentAt)]

        #expect(read(messages).filter { $0.hasPrefix("0") } == ["0>1", "0"])
    }

    /// A message that a person names and that is earlier, or not there, replaces nothing.
    @Test func onlyALaterMessageReplaces() {
        var messages = Self.moved
        messages[1].verdicts = [DatedVerdict(isReplaced: true, newer: 0, sentAt: messages[0].sentAt)]
        messages[2].verdicts = [
            DatedVerdict(isReplaced: true, newer: nil, sentAt: messages[2].sentAt + .seconds(60)),
            DatedVerdict(isReplaced: true, newer: 2, sentAt: messages[2].sentAt),
        ]
        #expect(read(messages) == ["0>2", "1>2", "2"])
    }

    @Test func theFinderFollowsVerdictsToo() {
        var messages = Self.moved
        messages[0].verdicts = [DatedVerdict(isReplaced: false, newer: 2, sentAt: messages[2].sentAt)]

        let found = ReplacementFinder().replacements(in: messages)

        #expect(found.map { "\($0.older.message)>\($0.newer.message)" } == ["1>2"])
    }
}
