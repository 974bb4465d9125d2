import ChatCore
import Logging

/// Reads a generation from the store into its index.
struct GenerationReader: Sendable {
    /// Passages or changes read at a time: about 6 MB of vectors at 384 dimensions.
    static let pageSize = 4_096

    let store: any IndexFeed
    let logger: Logger

    /// Returns the generation that searches use; nil before the first.
    func servingGeneration() async throws -> EmbeddingGeneration? {
        try await store.generations().last { $0.state == .serving && $0.space.isUsable }
    }

    /// Reads a generation from its first passage to its last.
    func readAll(of generation: EmbeddingGeneration) async throws -> GenerationIndex {
        let index = GenerationIndex(generation)
        var batch = LoadBatch<IndexedPassage>()
        var last = PassageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedPassages(of: generation.number, after: last, limit: Self.pageSize)
            batch.add(page, byteCount: page.count * generation.space.dimensions * MemoryLayout<Float>.size)
            if page.isEmpty || batch.isFull { try insert(batch.takeAll(), into: index) }
            guard let end = page.last else { return index }
            last = end.number
        }
    }

    /// Applies changes; skips passages that a later one of them removes.
    ///
    /// - Parameters:
    ///   - changes: Changes in the order of the log.
    ///   - contents: The passages of these changes, if they were read with them.
    ///   - target: The index.
    /// - Returns: How many rows may have changed.
    /// - Throws: ``RepositoryError``, `VectorIndexError.outOfMemory`; applying them again does no harm.
    func apply(
        _ changes: [Change], of contents: ChangeContents? = nil, to target: GenerationIndex
    ) async throws -> Int {
        let generation = target.generation.number
        var isPresent: [PassageNumber: Bool] = [:]
        let known = contents.flatMap { $0.generation == generation ? $0.passages : nil }
        let keys = changes.compactMap(\.messageKey)
        // Their senders or times may have changed, and filters use both.
        if let known {
            let keys = Set(keys)
            for passage in known where keys.contains(passage.messageKey) { isPresent[passage.number] = true }
        } else {
            for passage in try await store.passages(of: keys, in: generation) { isPresent[passage] = true }
        }
        for change in changes {
            switch change.subject {
            case .embedded(let passage, generation): isPresent[passage] = true
            case .retired(let passage): isPresent[passage] = false
            // The passages of an erased message were retired.
            case .message, .conversation, .items, .threads, .embedded, .generation, .membership, .receipt, .personal,
                .erased, .connections:
                break
            }
        }
        let wanted = isPresent.filter(\.value).map(\.key)
        target.remove(isPresent.filter { !$0.value }.map(\.key))
        if let known {
            let wanted = Set(wanted)
            try replace(wanted, by: known.filter { wanted.contains($0.number) }, in: target)
        } else {
            try await renew(wanted, in: target)
        }
        return isPresent.count
    }

    /// Replaces passages of the index by those of the store.
    func renew(_ passages: [PassageNumber], in target: GenerationIndex) async throws {
        for start in stride(from: 0, to: passages.count, by: Self.pageSize) {
            let page = Array(passages[start..<min(start + Self.pageSize, passages.count)])
            try replace(
                Set(page), by: try await store.indexedPassages(page, of: target.generation.number), in: target)
        }
    }

    private func replace(
        _ passages: Set<PassageNumber>, by found: [IndexedPassage], in target: GenerationIndex
    ) throws {
        target.remove(Array(passages.subtracting(found.map(\.number))))
        try insert(found, into: target)
    }

    private func insert(_ passages: [IndexedPassage], into target: GenerationIndex) throws {
        let unusable = try target.insert(passages)
        guard let first = unusable.first else { return }
        logger.error(
            "Stored vectors cannot be used",
            metadata: ["index.unusable": "\(unusable.count)", "passage.number": "\(first.rawValue)"])
    }
}
