package import ChatCore
import Foundation

extension SQLStore {
    /// Leases the next items of a generation: new messages before backlog, first tries before retries, newest message
    /// first.
    ///
    /// The items are locked one by one instead of the change log, for which people who write would wait.
    package func claim(
        _ limit: Int, for generation: GenerationNumber, includingBacklog includesBacklog: Bool, until lease: Timestamp,
        at moment: Timestamp
    ) async throws -> [WorkItem] {
        try await engine.writeAside { db in
            try db.run(
                QueueRows.wake(end: db.skippingLocked("queue")),
                [generation.rawValue, generation.rawValue, moment.microseconds])
            return try QueueRows.claim(
                max(0, limit), for: generation.rawValue, includingBacklog: includesBacklog, until: lease, in: db)
        }
    }

    /// Returns the vectors of texts that were embedded before in a generation.
    package func vectors(ofContents contentHashes: Set<[UInt8]>, in generation: GenerationNumber) async throws
        -> [[UInt8]: [Float]]
    {
        guard !contentHashes.isEmpty else { return [:] }
        return try await read { db in
            let hashes = Array(contentHashes)
            let rows = try db.rows(
                hashes.map { SQLStatement(PassageRows.ofContent, [generation.rawValue, VectorColumn.data($0)]) })
            var found: [[UInt8]: [Float]] = [:]
            for (hash, row) in zip(hashes, rows.map(\.first)) {
                if let row { found[hash] = try VectorColumn.vector(row[0] ?? Data()) }
            }
            return found
        }
    }

    /// Stores passages and vectors, removes the items from the queue and adds the usage, in one transaction.
    ///
    /// An item is skipped if its message was edited or deleted meanwhile, or if it was committed before. Passages that
    /// are not numbered from 0, or whose vectors have another length than the generation's or are not finite, are
    /// ``RepositoryError/invalid(field:reason:)``.
    package func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int {
        try await write { db in
            var writer = PassageWriter(db: db)
            let entries = try QueueRows.entries(of: messages.map(\.item), in: db)
            let count = try zip(messages, entries).filter { try writer.store($0, of: $1) }.count
            for (generation, usage) in usage {
                try UsageRows.add(usage, of: generation.rawValue, on: moment.day, in: db)
            }
            return count
        }
    }

    /// Puts failed items back, or aside, in one transaction.
    package func park(_ items: [ParkedItem], at moment: Timestamp) async throws {
        try await write { db in
            let entries = try QueueRows.entries(of: items.map(\.item), in: db)
            for case (let parked, let entry?) in zip(items, entries) {
                let state: QueueState = parked.retryAt == nil ? .failed : .waiting
                try db.run(
                    """
                    UPDATE queue SET state = ?, attempts = attempts + 1, is_retry = 1, due_at = ?, error_code = ?,
                        error_reason = ?, failed_at = ?
                    WHERE generation = ? AND message = ?
                    """,
                    [
                        state.rawValue, parked.retryAt?.microseconds, parked.errorCode, parked.errorReason,
                        parked.retryAt == nil ? moment.microseconds : nil, parked.item.generation.rawValue,
                        entry.message,
                    ])
            }
        }
    }

    /// Extends the leases of items that are still in work, in one transaction.
    package func renew(_ items: [WorkItem], until lease: Timestamp) async throws {
        try await write { db in
            for case (let item, let entry?) in zip(items, try QueueRows.entries(of: items, in: db))
            where entry.state == .leased {
                try db.run(QueueRows.lease, [lease.microseconds, item.generation.rawValue, entry.message])
            }
        }
    }

    /// Releases leases without counting an attempt, for an orderly stop.
    package func release(_ items: [WorkItem]) async throws {
        try await write { db in
            for case (let item, let entry?) in zip(items, try QueueRows.entries(of: items, in: db))
            where entry.state == .leased {
                try db.run(
                    "UPDATE queue SET state = 0, due_at = NULL WHERE generation = ? AND message = ?",
                    [item.generation.rawValue, entry.message])
            }
        }
    }

    /// Whether all leases at the start are those of a process that has ended; otherwise other nodes may hold some.
    package var ownsLeasesAtStart: Bool { engine.hearsEveryWrite }

    /// Ends all leases, because the only process that could hold them has ended.
    package func releaseAllLeases() async throws {
        try await write { db in try db.run("UPDATE queue SET state = 0, due_at = NULL WHERE state = 1") }
    }

    /// Returns the earliest time after `moment` at which a failed item of a generation is due or a lease ends; nil for none.
    package func nextDue(of generation: GenerationNumber, after moment: Timestamp) async throws -> Timestamp? {
        try await read { db in
            try db.row(QueueRows.nextDue, [generation.rawValue, moment.microseconds])?.momentIfAny(0)
        }
    }

    /// Returns the queueing time of the oldest item of a generation that waits or is in work.
    package func oldestWaiting(of generation: GenerationNumber) async throws -> Timestamp? {
        try await read { db in
            try db.row("SELECT MIN(queued_at) FROM queue WHERE generation = ? AND state <> 3", [generation.rawValue])?
                .momentIfAny(0)
        }
    }

    /// Returns the number of items of a generation that wait or are in work.
    package func pendingCount(of generation: GenerationNumber) async throws -> Int {
        try await read { db in Int(try db.number(QueueRows.pending, [generation.rawValue]) ?? 0) }
    }
}
