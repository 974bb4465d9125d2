import ChatCore
import TextAnalysis

/// Divides a text into words, clauses and segments.
struct WordReader {
    let text: String
    let tokens: [TextToken]
    let words: ClaimWords
    let language: TextLanguage

    /// - Parameter numbers: The ranges of quantities, days and times, whose words are compared as such.
    /// - Returns: The words in order, the first ``SupportLimits/wordCount`` of them.
    func all(numbers: [Range<Int>]) -> [ReadWord] {
        let bytes = Array(text.utf8)
        let taken = RangeSet8(numbers)
        var read: [ReadWord] = []
        var (clause, segment, isFirst) = (0, 0, true)
        var last = 0
        var place = 0
        while place < tokens.count, read.count < SupportLimits.wordCount {
            let token = tokens[place]
            guard token.kind != .bigram else {
                place += 1
                continue
            }
            var range = token.range
            var word = token.word
            var next = place + 1
            if token.kind == .unigram { (range, word, next) = run(from: place, bytes) }
            let gap = last <= range.lowerBound ? bytes[last..<range.lowerBound] : []
            switch Gap(gap) {
            case .none: break
            case .clause: (clause, segment) = (clause + 1, segment + 1)
            case .sentence: (clause, segment, isFirst) = (clause + 1, segment + 1, true)
            }
            if words.clauseLeads.contains(word) { (clause, segment) = (clause + 1, segment + 1) }
            if words.numberJoints.contains(word) { segment += 1 }
            let isIdeographic = token.kind == .unigram
            let isCapitalised = !isIdeographic && Self.isCapital(text, at: range)
            read.append(
                ReadWord(
                    range: range, word: word, stem: isIdeographic ? word : token.term, isIdeographic: isIdeographic,
                    isCapitalised: isCapitalised, isFirst: isFirst,
                    weight: taken.overlaps(range) ? 0 : weight(token, word, isIdeographic: isIdeographic),
                    clause: clause, segment: segment, letters: isIdeographic ? [] : Array(word.utf8.prefix(40)),
                    scalars: isIdeographic ? Array(word.unicodeScalars) : [],
                    hasDigit: word.utf8.contains { (0x30...0x39).contains($0) }))
            isFirst = false
            last = range.upperBound
            place = next
        }
        return asked(read, bytes)
    }

    /// Marks the words of sentences that end with a question mark.
    private func asked(_ words: [ReadWord], _ bytes: [UInt8]) -> [ReadWord] {
        var words = words
        var end = words.count
        for place in words.indices.reversed() where words[place].isFirst {
            let start = words[end - 1].range.upperBound
            let next = end < words.count ? words[end].range.lowerBound : bytes.count
            let gap = bytes[start..<max(start, next)]
            if gap.contains(UInt8(ascii: "?")) || Gap.contains(gap, "？") {
                for asked in place..<end { words[asked].isAsked = true }
            }
            end = place
        }
        return words
    }

    /// Returns the run of one script that begins at a token.
    private func run(from place: Int, _ bytes: [UInt8]) -> (Range<Int>, String, next: Int) {
        var (range, word) = (tokens[place].range, tokens[place].word)
        let script = Script(word)
        var next = place + 1
        while next < tokens.count, word.unicodeScalars.count < 24 {
            let token = tokens[next]
            if token.kind == .bigram {
                next += 1
                continue
            }
            guard token.kind == .unigram, token.range.lowerBound == range.upperBound, Script(token.word) == script
            else { break }
            range = range.lowerBound..<token.range.upperBound
            word += token.word
            next += 1
        }
        return (range, word, next)
    }

    private func weight(_ token: TextToken, _ word: String, isIdeographic: Bool) -> Float {
        if isIdeographic {
            switch Script(word) {
            case .hiragana: return 0
            case .katakana: return 1
            case .han where words.fillers.contains(word): return 0.2
            case .han: return word.unicodeScalars.count == 1 ? 0.6 : 1
            }
        }
        if words.negations.contains(word) || words.rejections.contains(word) { return 0 }
        if words.telling.contains(word) { return 0.5 }
        if words.reports.contains(word) { return 0.2 }
        if words.fillers.contains(word) { return 0.2 }
        if words.writer.contains(word) || words.clauseLeads.contains(word) { return 0 }
        if words.numbers[word] != nil || words.ordinals[word] != nil { return 0.3 }
        if words.units[word] != nil { return 0.4 }
        if TextAnalyzer.isStop(token, languages: [language]) || word.utf8.count == 1 { return 0 }
        return word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? 0 : 1
    }

    private static func isCapital(_ text: String, at range: Range<Int>) -> Bool {
        text.part(utf8: range).unicodeScalars.first?.properties.isUppercase ?? false
    }
}

/// The script of a run without blanks.
enum Script {
    case hiragana, katakana, han

    init(_ word: String) {
        let value = word.unicodeScalars.first?.value ?? 0
        self = (0x3041...0x309F).contains(value) ? .hiragana : (0x30A0...0x30FF).contains(value) ? .katakana : .han
    }
}

/// What the signs between two words part.
private enum Gap {
    case none, clause, sentence

    init(_ bytes: ArraySlice<UInt8>) {
        self = .none
        var hasSpace = false
        var sign: UInt8 = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "("), UInt8(ascii: ")"):
                if self == .none { self = .clause }
                // "On the 18., then" is one sentence.
                sign = 0
            case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "\n"): self = .sentence
            case UInt8(ascii: "."): sign = byte
            case UInt8(ascii: " "): hasSpace = true
            default: break
            }
        }
        if sign != 0, hasSpace { self = .sentence }
        if Self.contains(bytes, "。") || Self.contains(bytes, "！") || Self.contains(bytes, "？") { self = .sentence }
        if self == .none, Self.signs.contains(where: { Self.contains(bytes, $0) }) { self = .clause }
        // "1,840" and "z.B." are not parted.
        if self == .clause, bytes.count == 1, !hasSpace, bytes.first == UInt8(ascii: ",") { self = .none }
    }

    private static let signs = ["、", "–", "—", "（", "）", "：", "「", "」", "，"]

    static func contains(_ bytes: ArraySlice<UInt8>, _ sign: String) -> Bool {
        let wanted = Array(sign.utf8)
        guard bytes.count >= wanted.count, bytes.count < 64 else { return false }
        return (bytes.startIndex...(bytes.endIndex - wanted.count)).contains { start in
            bytes[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}

/// Ranges of a text that are looked up in order.
struct RangeSet8: Sendable {
    private let ranges: [Range<Int>]

    init(_ ranges: [Range<Int>]) {
        self.ranges = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Whether one of them overlaps a range; they may overlap each other a little, so the two before are looked at.
    func overlaps(_ range: Range<Int>) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound < range.upperBound { low = middle + 1 } else { high = middle }
        }
        return ranges[max(0, low - 3)..<low].contains { $0.overlaps(range) }
    }
}
