import ChatCore
import MessageStore
import Synchronization

/// Bytes of files in the database, so that every node reads them; the transaction that removes a row removes its bytes.
///
/// A file that is removed while it is read cannot be read to its end.
final class PostgresFileBytes: FileBytes {
    private let engine: PostgresEngine
    /// The files that arrive at this node.
    private let arriving = Mutex<Set<FileID>>([])

    init(_ engine: PostgresEngine) { self.engine = engine }

    let checksShares = true

    /// Nothing is stored before the first bytes: most files have one piece, which then costs no further round trip.
    func begin(_ draft: FileDraft, _ limits: FileLimits) -> any ArrivingFile {
        arriving.withLock { _ = $0.insert(draft.id) }
        return ArrivingPieces(of: draft, limits, engine) { [self] in
            arriving.withLock { _ = $0.remove(draft.id) }
        }
    }

    func content(of id: FileID) -> FileContent? {
        FileContent { [engine] offset, count in
            try await engine.read { db in try FilePieceRows(db: db).bytes(of: id, from: offset, count: count) }
        }
    }

    func put(_ content: FileContent, as id: FileID) async throws {
        try await engine.writeAside { db in try FilePieceRows(db: db).remove(id) }
        var count = 0
        while true {
            let piece = try await content.bytes(from: count, count: FileLayout.pieceByteCount)
            if piece.isEmpty { break }
            try await engine.writeAside { [count] db in try FilePieceRows(db: db).insert(piece, of: id, at: count) }
            count += piece.count
        }
    }

    func damaged(among files: [StoredFile]) async throws -> [FileID] {
        try await engine.read { db in
            let pieces = FilePieceRows(db: db)
            return try files.filter { try pieces.byteCount(of: $0.id) != $0.byteCount }.map(\.id)
        }
    }

    func removeDeleted() {}

    /// Does nothing: other nodes may be receiving files.
    func tidy() {}

    /// First notes which files still arrive at this node, so that they are not removed.
    func removeLeftovers(before moment: Timestamp) async throws {
        for id in arriving.withLock({ $0 }) {
            try await engine.writeAside { db in try FilePieceRows(db: db).touch(id) }
        }
        try await engine.writeAside { db in try FilePieceRows(db: db).removeArriving(before: moment) }
    }
}

/// A file that arrives in pieces.
private final class ArrivingPieces: ArrivingFile {
    private let draft: FileDraft
    private let limits: FileLimits
    private let engine: PostgresEngine
    private let ended: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        var byteCount = 0
        /// Nil before the first bytes.
        var begun: FilePieceRows.Begun?
        /// Whether there may be rows of the file.
        var isTried = false
    }

    init(of draft: FileDraft, _ limits: FileLimits, _ engine: PostgresEngine, ended: @escaping @Sendable () -> Void) {
        (self.draft, self.limits, self.engine, self.ended) = (draft, limits, engine, ended)
    }

    func append(_ bytes: [UInt8]) async throws {
        let (offset, begun) = state.withLock { state in
            state.isTried = true
            return (state.byteCount, state.begun)
        }
        if let begun {
            guard !bytes.isEmpty else { return }
            try await engine.writeAside { [draft, limits] db in
                try FilePieceRows(db: db).append(bytes, to: draft, at: offset, limits, begun: begun)
            }
        } else {
            let begun = try await engine.writeAside { [draft, limits] db in
                try FilePieceRows(db: db).begin(draft, with: bytes, limits)
            }
            state.withLock { $0.begun = begun }
        }
        state.withLock { $0.byteCount += bytes.count }
    }

    func keep(_ insert: @escaping FileInsertion) async throws {
        let count = state.withLock { $0.byteCount }
        try await engine.write { [id = draft.id] db in
            let rows = FilePieceRows(db: db)
            try insert(db) { try rows.requireWhole(id, byteCount: count) }
            try rows.settle(id)
        }
        ended()
    }

    /// If the removal fails, the file is removed later as a leftover.
    func abandon() async {
        ended()
        guard state.withLock({ $0.isTried }) else { return }
        try? await withoutCancellation { [engine, id = draft.id] in
            try await engine.writeAside { db in try FilePieceRows(db: db).removeArriving(id) }
        }
    }
}
