import ChatCore
import IndexCore
import VectorIndex

/// The vectors of one generation, ready to be searched.
struct GenerationIndex: Sendable {
    /// The most threads that one search uses.
    static let threadCount = 1

    let generation: EmbeddingGeneration
    /// The rows: a passage is a row, a conversation is a group.
    let index: CosineIndex

    /// The passages of each message.
    let directory: PassageDirectory

    /// Makes an index without rows.
    init(_ generation: EmbeddingGeneration) {
        self.init(
            generation,
            index: CosineIndex(dimensions: generation.space.dimensions, threadCount: Self.threadCount),
            directory: PassageDirectory())
    }

    /// Uses the rows of an existing index.
    ///
    /// - Complexity: O(rows).
    init(_ generation: EmbeddingGeneration, index: CosineIndex) {
        let directory = PassageDirectory()
        directory.insert(index)
        self.init(generation, index: index, directory: directory)
    }

    /// Uses the rows of an existing index whose passages are already known.
    init(_ generation: EmbeddingGeneration, index: CosineIndex, directory: PassageDirectory) {
        self.generation = generation
        self.index = index
        self.directory = directory
    }

    /// Returns the same rows with what is known of their generation now.
    func renewed(as generation: EmbeddingGeneration) -> GenerationIndex {
        GenerationIndex(generation, index: index, directory: directory)
    }

    /// Adds passages, or replaces them.
    ///
    /// - Parameter passages: Passages from the store.
    /// - Returns: The passages whose vectors cannot be used: of another length, zero, or not finite.
    /// - Throws: ``VectorIndexError/outOfMemory(byteCount:)``.
    func insert(_ passages: [IndexedPassage]) throws -> [PassageNumber] {
        directory.insert(passages.map { ($0.number, $0.message) })
        do {
            try index.upsert(passages.map(\.row))
            return []
        } catch .outOfMemory(let byteCount) {
            throw VectorIndexError.outOfMemory(byteCount: byteCount)
        } catch {
            return insertOneByOne(passages)
        }
    }

    private func insertOneByOne(_ passages: [IndexedPassage]) -> [PassageNumber] {
        let unusable = passages.filter { passage in
            do {
                try index.upsert([passage.row])
                return false
            } catch {
                return true
            }
        }
        remove(unusable.map(\.number))
        directory.remove(unusable.map { ($0.number, $0.message) })
        return unusable.map(\.number)
    }

    /// Removes passages; ignores unknown ones.
    func remove(_ numbers: [PassageNumber]) {
        let keys = numbers.map { RowKey($0) }
        let rows = index.rows(keys).attributes()
        index.remove(keys)
        directory.remove(
            zip(numbers, rows).compactMap { number, row in row.map { (number, MessageNumber(rawValue: $0.owner)) } })
    }
}

extension IndexedPassage {
    fileprivate var row: VectorRow {
        VectorRow(
            key: RowKey(number), group: GroupKey(conversation),
            attributes: RowAttributes(sender: senderID, timestamp: timestamp, message: message), vector: vector)
    }
}
