/// Texts that always are one token: found before a text is split into pieces, wherever they stand.
///
/// Of two that start at the same place, the longer one counts, as in Hugging Face's `tokenizers`.
struct AddedTokens: Sendable {
    struct Entry: Sendable {
        let text: [UInt8]
        let id: Int32
        /// Whether it must not touch a letter or digit.
        var isWord = false
        /// Whether it takes the spaces before it.
        var takesBefore = false
        /// Whether it takes the spaces after it.
        var takesAfter = false
    }

    /// A token, or a part of the text between two.
    struct Part {
        let range: Range<Int>
        let id: Int32?
    }

    /// The entries by their first byte, longest first.
    private let byLead: [UInt8: [Entry]]
    /// Whether an entry starts with a byte: asked for every byte of a text.
    private let isLead: [Bool]

    init(_ entries: [Entry]) {
        byLead = Dictionary(grouping: entries.filter { !$0.text.isEmpty }) { $0.text[0] }
            .mapValues { $0.sorted { $0.text.count > $1.text.count } }
        isLead = (0...UInt8.max).map { [byLead] in byLead[$0] != nil }
    }

    /// Calls `body` with the parts of a text, from left to right, until it returns false; no part is empty.
    func forEachPart(of text: UnsafeBufferPointer<UInt8>, _ body: (Part) -> Bool) {
        var (done, position) = (0, 0)
        while position < text.count, !byLead.isEmpty {
            guard isLead[Int(text[position])], let entry = entry(in: text, at: position) else {
                position += 1
                continue
            }
            var (start, end) = (position, position + entry.text.count)
            position = end
            if entry.isWord, touchesWord(text, start, end) { continue }
            if entry.takesBefore { start = max(done, Self.spacesBefore(start, in: text)) }
            if entry.takesAfter { end = Self.spacesAfter(end, in: text) }
            if done < start, !body(Part(range: done..<start, id: nil)) { return }
            guard body(Part(range: start..<end, id: entry.id)) else { return }
            done = end
        }
        if done < text.count { _ = body(Part(range: done..<text.count, id: nil)) }
    }

    private func entry(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Entry? {
        byLead[text[position]]?.first { text[position...].starts(with: $0.text) }
    }

    private func touchesWord(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        if start > 0, Self.isWord(UTF8Scalar.decode(text, at: UTF8Scalar.start(before: start, in: text)).scalar) {
            return true
        }
        return end < text.count && Self.isWord(UTF8Scalar.decode(text, at: end).scalar)
    }

    private static func spacesBefore(_ position: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var position = position
        while position > 0 {
            let start = UTF8Scalar.start(before: position, in: text)
            guard isSpace(UTF8Scalar.decode(text, at: start).scalar) else { break }
            position = start
        }
        return position
    }

    private static func spacesAfter(_ position: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var position = position
        while position < text.count {
            let (scalar, length) = UTF8Scalar.decode(text, at: position)
            guard isSpace(scalar) else { break }
            position += length
        }
        return position
    }

    private static func isSpace(_ value: UInt32) -> Bool {
        Unicode.Scalar(value)?.properties.isWhitespace ?? false
    }

    /// What regular expressions call a character of a word.
    private static func isWord(_ value: UInt32) -> Bool {
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        if properties.isAlphabetic || properties.isJoinControl { return true }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: true
        default: false
        }
    }
}
