import ChatCore
import Synchronization
import TestSupport

/// A store for a worker that remembers itself which messages were committed, and how often.
final class CommitRecorder: StoreWrapper, WorkQueue, GenerationRepository {
    let base: any Store
    private let counts = Mutex<[MessageKey: Int]>([:])
    private let renewals = Mutex(0)

    init(_ base: any Store) {
        self.base = base
    }

    /// How often each message was committed.
    var commits: [MessageKey: Int] { counts.withLock { $0 } }

    /// How often leases were renewed.
    var renewalCount: Int { renewals.withLock { $0 } }

    func renew(_ items: [WorkItem], until lease: Timestamp) async throws {
        try await base.renew(items, until: lease)
        renewals.withLock { $0 += 1 }
    }

    func commit(
        _ messages: [EmbeddedMessage], usage: [GenerationNumber: EmbeddingUsage], at moment: Timestamp
    ) async throws -> Int {
        let count = try await base.commit(messages, usage: usage, at: moment)
        counts.withLock { counts in
            for message in messages { counts[message.item.messageKey, default: 0] += 1 }
        }
        return count
    }
}
