import ChatCore
import TextAnalysis

/// A sentence of an answer.
struct AnswerSentence: Hashable, Sendable {
    /// In UTF-8 bytes of the answer, with its citations.
    let range: Range<Int>
    /// Its text with blanks for citations and the mark of a list: bytes are at the same places as in the answer.
    let text: String
    /// The places of its citations in the list that was given.
    let citations: [Int]
    /// Whether it is part of a fenced block of code.
    let isCode: Bool
}

/// Divides an answer into sentences; pure.
enum AnswerSentences {
    /// - Parameters:
    ///   - answer: Any text, also Markdown.
    ///   - citations: Those of the answer, in order.
    /// - Returns: The sentences in order.
    /// - Complexity: O(*n*).
    static func of(_ answer: String, citations: [AnswerCitation]) -> [AnswerSentence] {
        let bytes = Array(answer.utf8)
        let marks = citations.indices.filter { place in
            let range = citations[place].range
            guard range.lowerBound >= 0, range.upperBound <= bytes.count, !range.isEmpty else { return false }
            // Blanks for parts of characters would make other bytes.
            return !isContinuation(bytes[range.lowerBound])
                && (range.upperBound == bytes.count || !isContinuation(bytes[range.upperBound]))
        }.sorted { citations[$0].range.lowerBound < citations[$1].range.lowerBound }
        var blanked = bytes
        for place in marks { blank(citations[place].range, in: &blanked) }
        let ranges = lines(SentenceRanges.of(String(decoding: blanked, as: UTF8.self)), blanked)
        let code = codeBlocks(bytes)
        var (next, nextCode) = (marks[...], code[...])
        return ranges.compactMap { range in
            let trimmed = trim(range, bytes)
            let own = next.prefix { citations[$0].range.lowerBound < range.upperBound }
            next = next.dropFirst(own.count)
            guard !trimmed.isEmpty else { return nil }
            nextCode = nextCode.drop { $0.upperBound <= trimmed.lowerBound }
            let isCode = nextCode.first?.overlaps(trimmed) ?? false
            var text = Array(blanked[trimmed])
            blankListMark(&text)
            return AnswerSentence(
                range: trimmed, text: String(decoding: text, as: UTF8.self), citations: Array(own), isCode: isCode)
        }
    }

    /// Returns the blocks between fences of backticks or tildes, fences included; one without an end reaches to the
    /// end.
    private static func codeBlocks(_ bytes: [UInt8]) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var open: (start: Int, sign: UInt8)?
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = bytes[start..<end].drop { $0 == 0x20 }
            if let sign = line.first, sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~"),
                line.count >= 3, line.prefix(3).allSatisfy({ $0 == sign })
            {
                if let begun = open {
                    if begun.sign == sign {
                        blocks.append(begun.start..<end)
                        open = nil
                    }
                } else {
                    open = (start, sign)
                }
            }
            start = end + 1
        }
        if let open { blocks.append(open.start..<bytes.count) }
        return blocks
    }

    /// Moves the white space at the beginning of a line, which may be a citation, to the sentence of that line.
    private static func lines(_ ranges: [Range<Int>], _ blanked: [UInt8]) -> [Range<Int>] {
        var moved: [Range<Int>] = []
        var start = 0
        for range in ranges {
            var end = range.upperBound
            while end > range.lowerBound, isSpace(blanked[end - 1]), blanked[end - 1] != UInt8(ascii: "\n") { end -= 1 }
            let isLineEnd = end > range.lowerBound && blanked[end - 1] == UInt8(ascii: "\n")
            let last = isLineEnd && range.upperBound < blanked.count ? end : range.upperBound
            if start < last { moved.append(start..<last) }
            start = max(start, last)
        }
        return moved
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static func blank(_ range: Range<Int>, in bytes: inout [UInt8]) {
        for place in range { bytes[place] = UInt8(ascii: " ") }
    }

    /// Blanks the sign or number with which an item of a list begins.
    private static func blankListMark(_ bytes: inout [UInt8]) {
        var place = 0
        while place < bytes.count, isSpace(bytes[place]) || UInt8(ascii: "#") == bytes[place] { place += 1 }
        var end = place
        if end < bytes.count, "-*+>".utf8.contains(bytes[end]) {
            end += 1
        } else {
            while end < bytes.count, end < place + 3, (0x30...0x39).contains(bytes[end]) { end += 1 }
            guard end > place, end < bytes.count, bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ")")
            else { return }
            end += 1
        }
        guard end < bytes.count, isSpace(bytes[end]) else { return }
        for index in place..<end { bytes[index] = UInt8(ascii: " ") }
    }

    private static func trim(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
