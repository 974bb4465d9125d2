/// Finds the most probable pieces of a text, from left to right (Kudo, "Subword regularization", ACL 2018, section 3.1:
/// the Viterbi algorithm).
///
/// The text is read as it is needed. Wherever no piece reaches across a place, the best way to it is a part of the best
/// way to the end, so the pieces up to there are final. Scores are summed in 32-bit floats from the start of the text
/// on, because they decide between ways that are nearly as good, and the reference sums them so.
struct UnigramLattice {
    /// A piece that was found.
    struct Token {
        let id: Int32
        /// The part of the text that it comes from, in UTF-8 bytes; without the space before a word.
        let range: Range<Int>
        /// Whether a space, or the start of the text, is before it.
        let opensWord: Bool
        /// Its characters after the mark for a space.
        let characters: TokenCharacters
    }

    /// The bytes of U+2581, the mark for a space.
    static let mark: [UInt8] = [0xE2, 0x96, 0x81]
    /// When so many bytes are done with, the memory is used again.
    private static let doneByteCount = 1 << 16

    /// The best way to a place of the normalised text.
    private struct Way {
        var score = -Float.infinity
        /// The last piece of the way, and where it starts.
        var piece: Int32 = -1
        var start = 0
    }

    private let pieces: UnigramPieces
    private let source: UnsafeBufferPointer<UInt8>
    private var normalizer: UnigramNormalizer
    /// The normalised text from some place on, the best way to each of its places and to its end, and for each byte the
    /// character of the source that it comes from.
    private var bytes: [UInt8] = []
    private var ways = [Way(score: 0)]
    private var origins: [Range<Int>] = []
    /// Up to here the pieces are given out; from here on ways are wanted; up to here pieces reach.
    private var (done, position, reach) = (0, 0, 0)

    init(_ source: UnsafeBufferPointer<UInt8>, pieces: UnigramPieces, map: CharacterMap) {
        (self.pieces, self.source) = (pieces, source)
        normalizer = UnigramNormalizer(source, map)
    }

    /// Calls `body` with the pieces from left to right until it returns false; ranges and characters are empty unless
    /// `describes` is true.
    mutating func forEachToken(describes: Bool, _ body: (Token) -> Bool) {
        var found: [Token] = []
        while read() {
            step()
            guard reach == position else { continue }
            found.removeAll(keepingCapacity: true)
            var end = position
            while end > done {
                let way = ways[end]
                found.append(
                    describes
                        ? described(way, end) : Token(id: way.piece, range: 0..<0, opensWord: false, characters: []))
                end = way.start
            }
            done = position
            for token in found.reversed() where !body(token) { return }
        }
    }

    /// Reads so much that every piece at `position` can be seen; false at the end of the text.
    private mutating func read() -> Bool {
        if done >= Self.doneByteCount {
            bytes.removeFirst(done)
            ways.removeFirst(done)
            origins.removeFirst(done)
            (position, reach, done) = (position - done, reach - done, 0)
        }
        while bytes.count - position < pieces.longest {
            let before = bytes.count
            guard let origin = normalizer.next(into: &bytes) else { break }
            origins.append(contentsOf: repeatElement(origin, count: bytes.count - before))
        }
        ways.append(contentsOf: repeatElement(Way(), count: bytes.count + 1 - ways.count))
        return position < bytes.count
    }

    /// Follows the pieces that start at `position`, and moves to the next character.
    private mutating func step() {
        let (start, score) = (position, ways[position].score)
        position += UTF8Scalar.length(lead: bytes[start])
        reach = max(reach, position)
        let unknown = pieces.unknown
        bytes.withUnsafeBufferPointer { bytes in
            pieces.trie.slots.withUnsafeBufferPointer { slots in
                var (node, place) = (0, start)
                while place < bytes.count {
                    let child = Int(slots[node].base ^ UInt32(bytes[place]))
                    guard slots[child].parent == UInt32(node) else { break }
                    (node, place) = (child, place + 1)
                    let piece = slots[node].piece
                    guard piece >= 0, piece != unknown else { continue }
                    reach = max(reach, place)
                    let sum = score + pieces.scores[Int(piece)]
                    if sum > ways[place].score { ways[place] = Way(score: sum, piece: piece, start: start) }
                }
            }
        }
        let sum = score + pieces.unknownScore
        if sum > ways[position].score { ways[position] = Way(score: sum, piece: unknown, start: start) }
    }

    private func described(_ way: Way, _ end: Int) -> Token {
        let opensWord = bytes[way.start..<end].starts(with: Self.mark)
        let start = opensWord ? way.start + Self.mark.count : way.start
        guard start < end else {
            // A mark that was put before a character is no part of the text.
            let space = origins[way.start]
            let isAdded = end < origins.count && origins[end] == space
            let range = space.lowerBound..<(isAdded ? space.lowerBound : space.upperBound)
            return Token(id: way.piece, range: range, opensWord: true, characters: [])
        }
        return Token(
            id: way.piece, range: origins[start].lowerBound..<origins[end - 1].upperBound, opensWord: opensWord,
            characters: TokenCharacters(of: bytes[start..<end]))
    }
}

/// The characters of a token, as far as it matters for words.
struct TokenCharacters: OptionSet {
    let rawValue: UInt8

    /// A letter or digit is among them.
    static let word = TokenCharacters(rawValue: 1)
    /// The first, or the last, is of a script that is written without spaces.
    static let unspacedFirst = TokenCharacters(rawValue: 2)
    static let unspacedLast = TokenCharacters(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of bytes: ArraySlice<UInt8>) {
        self = []
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        if scalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }) { insert(.word) }
        if scalars.first.map(Self.isUnspaced) == true { insert(.unspacedFirst) }
        if scalars.last.map(Self.isUnspaced) == true { insert(.unspacedLast) }
    }

    /// Thai, Lao, Tibetan; Myanmar; Khmer; kana; ideographs.
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
