import ChatCore

/// How a normalised text is split into words for a Unigram model: the steps of `tokenizer.json`.
struct WordSplitter: Sendable {
    enum Step: Sendable {
        /// At white space, which is left out.
        case whiteSpace
        /// Spaces become U+2581, and one is put before the text; then a word starts at each.
        case mark(Prefix, splits: Bool)
    }

    /// Where a mark is put if there is none.
    enum Prefix: String, Sendable {
        case always, first, never
    }

    private static let space: UInt8 = 0x20

    let steps: [Step]

    /// Returns the text with its marks, and the words in it; no word is empty.
    func words(of text: NormalizedText) -> (text: NormalizedText, words: [Range<Int>]) {
        var (text, words) = (text, text.count == 0 ? [] : [0..<text.count])
        for step in steps {
            switch step {
            case .whiteSpace: words = words.flatMap { Self.split($0, of: text) }
            case .mark(let prefix, let splits): (text, words) = Self.marked(text, words, prefix, splits: splits)
            }
        }
        return (text, words)
    }

    private static func split(_ range: Range<Int>, of text: NormalizedText) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var (start, place) = (range.lowerBound, range.lowerBound)
        while place < range.upperBound {
            let character = text.character(at: place)
            if text.scalar(at: place).properties.isWhitespace {
                if start < place { words.append(start..<place) }
                start = character.upperBound
            }
            place = character.upperBound
        }
        if start < place { words.append(start..<place) }
        return words
    }

    private static func marked(
        _ text: NormalizedText, _ words: [Range<Int>], _ prefix: Prefix, splits: Bool
    ) -> (NormalizedText, [Range<Int>]) {
        let mark = UnigramLattice.mark
        var (marked, found) = (NormalizedText(), [Range<Int>]())
        marked.reserve(text.count + words.count * mark.count)
        for word in words {
            var start = marked.count
            let origin = text.origin(of: word).lowerBound
            let hasMark = text.bytes[word.lowerBound] == space || text.bytes[word].starts(with: mark)
            if !hasMark, prefix == .always || prefix == .first && origin == 0 {
                marked.append(mark, from: origin..<origin)
            }
            var place = word.lowerBound
            while place < word.upperBound {
                let isSpace = text.bytes[place] == space
                if splits, isSpace || text.bytes[place..<word.upperBound].starts(with: mark), place > word.lowerBound {
                    found.append(start..<marked.count)
                    start = marked.count
                }
                if isSpace {
                    marked.append(mark, from: text.origin(of: place..<place + 1))
                } else {
                    marked.append(text, place..<place + 1)
                }
                place += 1
            }
            found.append(start..<marked.count)
        }
        return (marked, found)
    }
}

extension WordSplitter {
    /// Reads the entry `pre_tokenizer` of a `tokenizer.json`.
    init(json: JSONValue?) throws(EncoderError) {
        steps = try Self.steps(json ?? .null)
    }

    private static func steps(_ json: JSONValue) throws(EncoderError) -> [Step] {
        if json == .null { return [] }
        guard let type = json["type"]?.text else { throw TokenizerFile.malformed }
        switch type {
        case "Sequence":
            var steps: [Step] = []
            for part in json["pretokenizers"]?.list ?? [] { steps += try Self.steps(part) }
            return steps
        case "WhitespaceSplit": return [.whiteSpace]
        case "Metaspace":
            guard json["replacement"]?.text == "\u{2581}" else {
                throw TokenizerFile.unsupported("a Metaspace with another mark than U+2581")
            }
            // Older files have a flag instead of the word.
            let scheme = json["prepend_scheme"]?.text ?? (json["add_prefix_space"] == .bool(false) ? "never" : "always")
            guard let prefix = Prefix(rawValue: scheme) else { throw TokenizerFile.malformed }
            return [.mark(prefix, splits: json["split"] != .bool(false))]
        default: throw TokenizerFile.unsupported("the pre-tokenizer \(type) of a Unigram model")
        }
    }
}
