public import ChatCore
import Synchronization
import VectorIndex

/// The rows of a generation that is about to serve.
struct PreparedIndex: Sendable {
    let index: GenerationIndex
    /// A change that the rows contain.
    var followed: ChangeNumber
}

/// What lets another generation take over between two searches: its rows are there before it serves.
extension LiveIndex {
    /// Whether searches can go on at once when a generation serves; if not, ``prepare()`` reads its rows.
    ///
    /// They can while nothing is loaded yet: what serves then is loaded.
    /// Only the generation that was asked for last is prepared: its rows take as much memory as those that serve.
    public func isPrepared(for generation: EmbeddingGeneration) -> Bool {
        state.withLock { state in
            if !state.isLoaded || state.serving?.generation.number == generation.number { return true }
            state.wanted = generation
            return state.prepared?.index.generation.number == generation.number
        }
    }

    /// Reads the rows of the generation that is wanted, and keeps them up to date until it serves.
    ///
    /// Searches and follows go on meanwhile in the generation that serves.
    ///
    /// - Throws: ``RepositoryError``; the next call goes on.
    public func prepare() async throws {
        guard let wanted = state.withLock({ $0.wanted }) else { return }
        let present = try await store.generations().first { $0.number == wanted.number }
        guard let present, present.state != .retired else { return forgetPrepared() }
        if state.withLock({ $0.prepared?.index.generation.number }) != wanted.number {
            state.withLock { $0.prepared = nil }
            let latest = try await store.latestChange()
            let read = PreparedIndex(index: try await reader.readAll(of: wanted), followed: latest)
            return try await catchUp(read)
        }
        try await preparationGate.run {
            guard let prepared = state.withLock({ $0.prepared }) else { return }
            try await catchUp(prepared)
        }
    }

    private func forgetPrepared() {
        state.withLock { state in
            state.wanted = nil
            state.prepared = nil
        }
    }

    /// Follows the changes up to the newest, and publishes what is prepared then, unless another is wanted by now.
    private func catchUp(_ prepared: PreparedIndex) async throws {
        var prepared = prepared
        try await follow(&prepared)
        state.withLock { state in
            if state.wanted?.number == prepared.index.generation.number { state.prepared = prepared }
        }
    }

    private func follow(_ prepared: inout PreparedIndex) async throws {
        while let last = try await followPage(of: prepared) { prepared.followed = last }
    }

    private func followPage(of prepared: PreparedIndex) async throws -> ChangeNumber? {
        let changes = try await store.changes(after: prepared.followed, limit: GenerationReader.pageSize)
        guard let last = changes.last else { return nil }
        _ = try await reader.apply(changes, to: prepared.index)
        return last.number
    }

    /// Returns what is to be published of a generation that serves from now on; nil when it was not prepared.
    func takePrepared(for generation: EmbeddingGeneration) async throws -> State? {
        try await preparationGate.run {
            let found = state.withLock { state -> PreparedIndex? in
                guard state.prepared?.index.generation.number == generation.number else { return nil }
                state.wanted = nil
                return state.prepared.take()
            }
            guard var prepared = found else { return nil }
            try await follow(&prepared)
            let index = GenerationIndex(
                generation, index: prepared.index.index, directory: prepared.index.directory)
            return State(
                followed: prepared.followed, serving: index, isLoaded: true, unsavedCount: index.index.count)
        }
    }
}
