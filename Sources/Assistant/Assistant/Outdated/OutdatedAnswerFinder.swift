import AnswerSupport
import ChatCore
import TextAnalysis

/// Finds the answers that a later message makes wrong.
///
/// The message must replace a statement of a message that the answer is based on, and the answer must repeat that
/// statement: a message that moves the start leaves an answer about the budget alone.
struct OutdatedAnswerFinder: Sendable {
    /// How many messages before a message say what "it" is.
    static let precedingCount = 6
    /// How many messages that answers are based on are compared.
    static let citedCount = ReplacementLimits.messageCount - precedingCount - 1
    /// More sources than an answer has, so that every number in brackets counts as a citation.
    private static let citationLimit = 999

    private let checker = SupportChecker(encoder: nil)

    /// Whether a message says that something changed; others are not compared.
    func mayReplace(_ message: Message) -> Bool {
        finder(for: message).mayReplace(dated(message, timeZone: nil))
    }

    /// Returns the answers that a message makes wrong.
    ///
    /// - Parameters:
    ///   - message: The later message.
    ///   - citing: The answers that may be.
    ///   - said: What people say about earlier messages and this one.
    /// - Returns: The answers, each once.
    /// - Throws: `CancellationError`.
    func answers(
        outdatedBy message: Message, among citing: CitingAnswers,
        said: [MessageKey: ReplacementVerdict.Kind] = [:]
    ) async throws -> [OutdatedAnswer] {
        var found: [OutdatedAnswer] = []
        let named = citing.cited.filter { said[$0.key] == .replaced }.map {
            ReplacedStatement(message: $0, text: $0.searchableText)
        }
        let read = replaced(by: message, among: citing).filter { said[$0.message.key] == nil }
        for statement in named + read {
            for answer in citing.answers where answer.keys.contains(statement.message.key) {
                guard !found.contains(where: { $0.id == answer.id }),
                    try await repeats(answer, statement, timeZone: citing.timeZone, unlike: message)
                else { continue }
                found.append(OutdatedAnswer(id: answer.id, older: statement.message.key))
            }
        }
        return found
    }

    /// A statement of a message that a later one replaces.
    private struct ReplacedStatement {
        let message: Message
        let text: String
    }

    private func replaced(by message: Message, among citing: CitingAnswers) -> [ReplacedStatement] {
        var messages: [Message] = []
        for other in citing.preceding.prefix(Self.precedingCount) + citing.cited
        where other.key != message.key && !messages.contains(where: { $0.key == other.key }) {
            messages.append(other)
        }
        messages = Array(messages.prefix(ReplacementLimits.messageCount - 1)) + [message]
        let places = Dictionary(messages.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let dated = messages.map { message in
            var dated = self.dated(message, timeZone: citing.timeZone)
            dated.repliesTo = message.replyToID.flatMap { id in
                places[MessageKey(conversationID: message.key.conversationID, messageID: id)]
            }
            return dated
        }
        let cited = Set(citing.cited.map(\.key))
        return finder(for: message).replacements(in: dated).compactMap { replacement in
            let older = messages[replacement.older.message]
            guard replacement.newer.message == messages.count - 1, cited.contains(older.key) else { return nil }
            return ReplacedStatement(
                message: older, text: String(older.searchableText.part(utf8: replacement.older.range)))
        }
    }

    private func finder(for message: Message) -> ReplacementFinder {
        ReplacementFinder(language: LanguageGuess.language(of: message.searchableText) ?? .english)
    }

    private func dated(_ message: Message, timeZone: String?) -> DatedMessage {
        DatedMessage(
            text: message.searchableText, senderName: message.senderName, sentAt: message.timestamp,
            timeZone: timeZone ?? "UTC", conversation: message.key.conversationID.rawValue)
    }

    /// Whether an answer has a sentence that a statement supports and the later message does not.
    private func repeats(
        _ answer: CitingAnswers.Answer, _ statement: ReplacedStatement, timeZone: String?, unlike later: Message
    ) async throws -> Bool {
        let text = Self.words(of: answer)
        let words = statement.text.trimmingWhitespace()
        if !words.isEmpty, text.contains(words) { return true }
        let offsets = CharacterOffsets(text)
        var parser = CitationParser(sourceCount: Self.citationLimit)
        let citations = (parser.read(text) + parser.finish()).map {
            AnswerCitation(number: $0.number, range: offsets.bytes(of: $0.range))
        }
        func check(_ message: Message, _ words: String) async throws -> [SentenceSupport] {
            let source = SupportSource(
                text: words, senderName: message.senderName, sentAt: message.timestamp, timeZone: timeZone ?? "UTC")
            return try await checker.check(answer: text, citations: citations, sources: [source])
        }
        let said = try await check(statement.message, statement.text)
        guard said.contains(where: Self.isRepetition) else { return false }
        let now = try await check(later, later.searchableText)
        return zip(said, now).contains { Self.isRepetition($0) && $1.support != .supported }
    }

    private static func isRepetition(_ sentence: SentenceSupport) -> Bool {
        sentence.needsSource && sentence.support == .supported
    }

    /// The answer's text; of a posted one without the list of sources below it, and the note.
    private static func words(of answer: CitingAnswers.Answer) -> String {
        guard case .message = answer.id else { return answer.text }
        guard let list = answer.text.firstRange(of: "\n\n[") else { return answer.text }
        return String(answer.text[..<list.lowerBound])
    }
}
