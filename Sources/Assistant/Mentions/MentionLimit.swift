package import ChatCore
import Synchronization

/// How many mentions are being answered in each conversation, so that the limit counts them before they are posted.
package final class MentionLimit: Sendable {
    private let counts = Mutex<[ConversationID: Int]>([:])

    /// Counts none yet.
    package init() {}

    /// Counts a mention among those being answered when there is room; ``end(in:)`` must follow then.
    ///
    /// - Parameters:
    ///   - id: Where.
    ///   - limit: The most, those included that were posted.
    ///   - postedCount: How many were posted within the time that counts.
    /// - Returns: Whether there was room.
    /// - Throws: What `postedCount` throws.
    package func begin(in id: ConversationID, limit: Int, postedCount: () async throws -> Int) async throws -> Bool {
        while true {
            let known = counts.withLock { $0[id] ?? 0 }
            let posted = try await postedCount()
            let decided = counts.withLock { counts -> Bool? in
                // One that was posted meanwhile may be missing in both counts.
                guard counts[id] ?? 0 == known else { return nil }
                guard posted + known < limit else { return false }
                counts[id] = known + 1
                return true
            }
            if let decided { return decided }
        }
    }

    /// How many are being answered.
    package func count(in id: ConversationID) -> Int { counts.withLock { $0[id] ?? 0 } }

    /// Ends an answer that was begun.
    package func end(in id: ConversationID) {
        counts.withLock { counts in
            let rest = (counts[id] ?? 1) - 1
            counts[id] = rest > 0 ? rest : nil
        }
    }
}
