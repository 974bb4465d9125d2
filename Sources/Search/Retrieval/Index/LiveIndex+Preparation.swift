package import ChatCore
import Synchronization
import VectorIndex

/// The rows of a generation that is about to serve.
struct PreparedIndex: Sendable {
    let index: GenerationIndex
    /// The position up to which it has taken changes.
    var followed: ChangeCursor
}

/// Reads the rows of another generation before it serves, so that it can take over between two searches.
extension LiveIndex {
    /// Reads the rows of a generation that is about to serve, and brings them up to the store.
    ///
    /// Searches continue in the generation that serves. Only one generation is kept prepared, because its rows take as
    /// much memory as those that serve. Does nothing before the index is loaded: loading reads the serving generation
    /// anyway.
    ///
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func prepare(_ generation: EmbeddingGeneration) async throws {
        try await preparationLock.run {
            let (isNeeded, known) = state.withLock { state in
                let isNeeded = state.followed != nil && state.serving?.generation.number != generation.number
                return (isNeeded, state.prepared)
            }
            guard isNeeded else { return }
            var prepared: PreparedIndex
            if let known, known.index.generation.number == generation.number {
                prepared = known
            } else {
                state.withLock { $0.prepared = nil }
                let start = try await store.latestChange()
                prepared = PreparedIndex(index: try await reader.readAll(of: generation), followed: start)
            }
            do {
                try await follow(&prepared)
            } catch RepositoryError.expiredCursor {
                // The next attempt reads the rows of the present log.
                state.withLock { $0.prepared = nil }
                throw RepositoryError.expiredCursor
            }
            state.withLock { $0.prepared = prepared }
        }
    }

    /// The generation whose rows are prepared; nil for none.
    package var preparedGeneration: GenerationNumber? {
        state.withLock { $0.prepared?.index.generation.number }
    }

    /// Forgets a prepared generation that was dropped.
    func forgetDropped() async throws {
        guard let number = preparedGeneration,
            try await store.generations().first(where: { $0.number == number })?.state == .retired
        else { return }
        state.withLock { if $0.prepared?.index.generation.number == number { $0.prepared = nil } }
    }

    private func follow(_ prepared: inout PreparedIndex) async throws {
        while true {
            let page = try await store.changes(after: prepared.followed, limit: GenerationReader.pageSize)
            guard page.end != prepared.followed else { return }
            _ = try await reader.apply(page.changes, to: prepared.index)
            prepared.followed = page.end
        }
    }

    /// Returns the prepared rows of a generation that serves from now on; nil when it was not prepared.
    func takePrepared(for generation: EmbeddingGeneration) async throws -> LoadedIndex? {
        try await preparationLock.run {
            // A generation that was prepared for a switch that did not happen is dropped to free its memory.
            guard var prepared = state.withLock({ $0.prepared.take() }),
                prepared.index.generation.number == generation.number
            else { return nil }
            do {
                try await follow(&prepared)
            } catch RepositoryError.expiredCursor {
                return nil
            }
            let index = GenerationIndex(generation, index: prepared.index.index, directory: prepared.index.directory)
            return LoadedIndex(
                index: index, followed: prepared.followed, unsavedCount: index.index.count, source: .prepared)
        }
    }
}
