/// The pieces of a WordPiece vocabulary as a trie over UTF-8 bytes, with greedy longest match.
///
/// Edges lie in one open-addressed hash table keyed by node and byte, so a step costs one probe and the whole
/// of BERT's vocabulary takes 2 MB. Matches end at scalar borders because pieces and words are whole UTF-8.
struct WordPieceVocabulary: Sendable {
    /// The number of pieces.
    let count: Int
    private let edgeKeys: [UInt32]
    private let edgeTargets: [UInt32]
    private let pieceOfNode: [Int32]

    /// The node before the first byte of a word.
    private static let wordStart: UInt32 = 1
    /// The node before the first byte of a continuation, which vocabularies write as `##`.
    private static let continuation: UInt32 = 2

    /// Makes the trie; the place of a piece in `pieces` is its id, and of equal pieces the last one counts.
    init(pieces: [ArraySlice<UInt8>]) {
        var builder = Builder(byteCount: pieces.reduce(0) { $0 + $1.count })
        for (id, piece) in pieces.enumerated() {
            if piece.starts(with: "##".utf8), piece.count > 2 {
                builder.insert(piece.dropFirst(2), from: Self.continuation, id: Int32(id))
            } else {
                builder.insert(piece, from: Self.wordStart, id: Int32(id))
            }
        }
        count = pieces.count
        edgeKeys = builder.edgeKeys
        edgeTargets = builder.edgeTargets
        pieceOfNode = builder.pieceOfNode
    }

    /// Returns the id of the piece that is all of `word`, at the start of a word.
    func id(of word: some Sequence<UInt8>) -> Int32? {
        var node = Self.wordStart
        for byte in word {
            node = child(of: node, byte)
            if node == 0 { return nil }
        }
        return pieceOfNode[Int(node)] >= 0 ? pieceOfNode[Int(node)] : nil
    }

    /// Appends the ids of the longest pieces that make up `word`, from left to right.
    ///
    /// - Parameters:
    ///   - word: UTF-8, not empty.
    ///   - ids: Receives the ids; unchanged if there is no match.
    /// - Returns: Whether every byte was matched.
    func appendPieces(of word: [UInt8], to ids: inout [Int32]) -> Bool {
        let before = ids.count
        var start = 0
        while start < word.count {
            var node = start == 0 ? Self.wordStart : Self.continuation
            var best: (id: Int32, end: Int)?
            var position = start
            while position < word.count {
                node = child(of: node, word[position])
                if node == 0 { break }
                position += 1
                if pieceOfNode[Int(node)] >= 0 { best = (pieceOfNode[Int(node)], position) }
            }
            guard let match = best else {
                ids.removeLast(ids.count - before)
                return false
            }
            ids.append(match.id)
            start = match.end
        }
        return true
    }

    private func child(of node: UInt32, _ byte: UInt8) -> UInt32 {
        let key = node << 8 | UInt32(byte)
        let mask = edgeKeys.count - 1
        var slot = Self.slot(of: key, mask: mask)
        while edgeKeys[slot] != key {
            if edgeKeys[slot] == 0 { return 0 }
            slot = (slot + 1) & mask
        }
        return edgeTargets[slot]
    }

    /// Fibonacci hashing: the multiplier is 2³² divided by the golden ratio.
    private static func slot(of key: UInt32, mask: Int) -> Int {
        Int((key &* 2_654_435_769) >> 8) & mask
    }
}

extension WordPieceVocabulary {
    /// The trie while it grows; key 0 and node 0 mean "none".
    private struct Builder {
        var edgeKeys: [UInt32]
        var edgeTargets: [UInt32]
        var pieceOfNode: [Int32] = [-1, -1, -1]

        /// Makes a table that stays at most half full: no trie has more edges than its pieces have bytes.
        init(byteCount: Int) {
            var capacity = 16
            while capacity < byteCount * 2 { capacity *= 2 }
            edgeKeys = Array(repeating: 0, count: capacity)
            edgeTargets = Array(repeating: 0, count: capacity)
        }

        mutating func insert(_ piece: ArraySlice<UInt8>, from root: UInt32, id: Int32) {
            guard !piece.isEmpty else { return }
            var node = root
            for byte in piece { node = findOrAddChild(of: node, byte) }
            pieceOfNode[Int(node)] = id
        }

        private mutating func findOrAddChild(of node: UInt32, _ byte: UInt8) -> UInt32 {
            let key = node << 8 | UInt32(byte)
            let mask = edgeKeys.count - 1
            var slot = WordPieceVocabulary.slot(of: key, mask: mask)
            while edgeKeys[slot] != 0, edgeKeys[slot] != key { slot = (slot + 1) & mask }
            if edgeKeys[slot] == key { return edgeTargets[slot] }
            edgeKeys[slot] = key
            edgeTargets[slot] = UInt32(pieceOfNode.count)
            pieceOfNode.append(-1)
            return edgeTargets[slot]
        }
    }
}
