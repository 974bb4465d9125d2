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
    /// The bytes of a long message that are read first, because they nearly always have enough words.
    private static let beginning = 256

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
        guard Self.canRepeat(message) else { return nil }
        conversation = visible.conversation
        sender = message.senderID
        text = Self.plain(message.text)
        replyTo = message.replyToID
        thread = message.threadRootID
        files = message.fileIDs
    }

    /// Whether a message has a key.
    static func canRepeat(_ message: Message) -> Bool {
        message.attachments.count == message.fileIDs.count && isTelling(message.text)
    }

    /// A number that is the same for messages with the same key, and rarely for others; a key costs much more.
    static func sign(of message: Message) -> Int {
        var signs: [UInt8] = []
        // Only what no key changes: of the letters, `i` and `k` are also the small forms of letters beyond ASCII.
        var isLetterLast = false
        for scalar in message.text.unicodeScalars {
            // A letter with a mark may be written as one scalar, which does not count.
            if isLetterLast, (0x300...0x36F).contains(scalar.value) { signs.removeLast() }
            isLetterLast = false
            guard let byte = scalar.isASCII ? UInt8(scalar.value) : wideForm(of: scalar) else { continue }
            let small = byte | 0x20
            let isLetter = (0x61...0x7A).contains(small) && small != 0x69 && small != 0x6B
            if isLetter { signs.append(small) } else if (0x30...0x39).contains(byte) { signs.append(byte) }
            isLetterLast = isLetter
        }
        var hasher = Hasher()
        hasher.combine(message.senderID)
        signs.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// The sign of ASCII that a full-width one is a form of; nil for other signs.
    private static func wideForm(of scalar: Unicode.Scalar) -> UInt8? {
        (0xFF01...0xFF5E).contains(scalar.value) ? UInt8(scalar.value - 0xFEE0) : nil
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
        let isLong = text.utf8.count > 2 * beginning
        // One word of the beginning may have been cut in two.
        return isLong && hasWords(telling + 1, in: String(decoding: text.utf8.prefix(beginning), as: UTF8.self))
            || hasWords(telling, in: text)
    }

    private static func hasWords(_ wanted: Int, in text: String) -> Bool {
        let tokens = TextAnalyzer.tokens(of: text, language: .other)
        let count = tokens.count { $0.kind == .word } + tokens.count { $0.kind == .unigram } / 2
        return count >= wanted
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
        default: wideForm(of: scalar).map { Unicode.Scalar($0) } ?? scalar
        }
    }
}
