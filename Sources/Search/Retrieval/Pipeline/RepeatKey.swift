import ChatCore
import TextAnalysis

/// What a message says; equal keys are of messages that say the same, so that one of them can stand for all.
///
/// The same person wrote the same words in the same order, with the same numbers, signs and emoji, in the same
/// conversation and thread, about the same days. Only white space, invisible characters, the forms of quotation marks
/// and dashes, the case of the first letter, and full stops and exclamation marks at the end do not count.
struct RepeatKey: Hashable, Sendable {
    /// Messages with fewer words ("ok, thanks") may mean different things each time, so they repeat nothing.
    private static let telling = 4

    private let conversation: ConversationNumber
    private let sender: UserID
    private let text: String
    private let replyTo: MessageID?
    private let thread: MessageID?
    private let files: [FileID]

    /// Returns nil for a message of few words, and for one with a file that is not stored, because such files may
    /// differ.
    init?(_ visible: VisibleMessage) {
        let message = visible.message
        guard message.attachments.count == message.fileIDs.count, Self.isTelling(message.text) else { return nil }
        conversation = visible.conversation
        sender = message.senderID
        text = Self.plain(message.text)
        replyTo = message.replyToID
        thread = message.threadRootID
        files = message.fileIDs
    }

    /// Whether two messages say the same.
    static func areEqual(_ left: VisibleMessage, _ right: VisibleMessage, zone: String) -> Bool {
        guard let key = RepeatKey(left), key == RepeatKey(right) else { return false }
        return agree(left.message, right.message, zone: zone)
    }

    /// Whether two messages with the same key speak of the same days: "tomorrow" was another day a week ago.
    static func agree(_ left: Message, _ right: Message, zone: String) -> Bool {
        days(of: left, zone: zone) == days(of: right, zone: zone)
    }

    private static func days(of message: Message, zone: String) -> [Timestamp] {
        DateExpressions.find(in: message.text, askedAt: message.timestamp, zone: zone).flatMap { [$0.start, $0.end] }
            + DueDates.find(in: message.text, saidAt: message.timestamp, zone: zone).map(\.moment)
    }

    /// Two letters of a script without blanks count like a word.
    private static func isTelling(_ text: String) -> Bool {
        let tokens = TextAnalyzer.tokens(of: text, language: .other)
        let count = tokens.count { $0.kind == .word } + tokens.count { $0.kind == .unigram } / 2
        return count >= telling
    }

    private static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in VisibleText.of(text).unicodeScalars where scalar != "\u{FE0F}" { plain.append(form(of: scalar)) }
        let words = String(plain).replacing("…", with: "...").split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ")
        let end = line.lastIndex { !endMarks.contains($0) }.map { line.index(after: $0) } ?? line.startIndex
        return line.prefix(1).lowercased() + line[..<end].dropFirst()
    }

    private static let endMarks: Set<Character> = [".", "!", "。", "．", "！", "।", " "]

    private static func form(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "“", "”", "„", "‟", "″": "\""
        case "‘", "’", "‚", "‛", "′": "'"
        case "‐", "‑", "‒", "–", "−": "-"
        // Full-width forms of ASCII.
        case "\u{FF01}"..."\u{FF5E}": Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        default: scalar
        }
    }
}
