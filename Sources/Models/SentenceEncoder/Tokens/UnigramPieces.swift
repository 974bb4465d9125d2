import Foundation

/// The pieces of a Unigram vocabulary, each with the logarithm of its probability.
struct UnigramPieces: Sendable {
    /// How much less than the rarest piece an unknown character scores.
    private static let unknownPenalty: Float = 10

    /// The number of pieces.
    let count: Int
    /// The bytes of the longest piece.
    let longest: Int
    let trie: PieceTrie
    /// The score of each piece.
    let scores: [Float]
    /// The token before a text, the one after it, and that of a character that no piece holds.
    let start, end, unknown: Int32
    let unknownScore: Float

    /// Takes all pieces as UTF-8, one after the other, with the start of each and the end of the last.
    ///
    /// It is nil when the offsets do not ascend from 0 to the end of the text, a piece is empty or no UTF-8, a score is no
    /// finite number, or a token is not among the pieces.
    init?(text: UnsafeRawBufferPointer, offsets: [Int], scores: [Float], start: Int32, end: Int32, unknown: Int32) {
        guard !scores.isEmpty, offsets.count == scores.count + 1, offsets[0] == 0, offsets[scores.count] == text.count,
            zip(offsets, offsets.dropFirst()).allSatisfy({ $0 < $1 }), scores.allSatisfy(\.isFinite),
            [start, end, unknown].allSatisfy({ $0 >= 0 && $0 < scores.count }),
            // The whole is, and no piece starts within a character.
            String(validating: text, as: UTF8.self) != nil, offsets.dropLast().allSatisfy({ text[$0] & 0xC0 != 0x80 })
        else { return nil }
        count = scores.count
        longest = zip(offsets, offsets.dropFirst()).reduce(0) { max($0, $1.1 - $1.0) }
        trie = PieceTrie(text: text, offsets: offsets)
        self.scores = scores
        (self.start, self.end, self.unknown) = (start, end, unknown)
        unknownScore = (scores.min() ?? 0) - Self.unknownPenalty
    }
}
