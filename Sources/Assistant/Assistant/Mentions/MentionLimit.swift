package import ChatCore
import Synchronization

/// Counts the mentions that are being answered in each conversation, so that the limit includes unposted answers.
package final class MentionLimit: Sendable {
    private let counts = Mutex<[ConversationID: Int]>([:])

    package init() {}

    /// Starts an answer if the limit allows it; ``end(in:)`` must follow then.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - limit: The most answers, including posted ones.
    ///   - postedCount: Returns how many were posted within the time window.
    /// - Returns: Whether the answer was started.
    /// - Throws: The error of `postedCount`.
    package func begin(in id: ConversationID, limit: Int, postedCount: () async throws -> Int) async throws -> Bool {
        while true {
            let known = counts.withLock { $0[id] ?? 0 }
            let posted = try await postedCount()
            let decided = counts.withLock { counts -> Bool? in
                // An answer that was posted in the meantime may be missing in both counts.
                guard counts[id] ?? 0 == known else { return nil }
                guard posted + known < limit else { return false }
                counts[id] = known + 1
                return true
            }
            if let decided { return decided }
        }
    }

    /// How many mentions are being answered.
    package func count(in id: ConversationID) -> Int { counts.withLock { $0[id] ?? 0 } }

    /// Ends an answer that was started.
    package func end(in id: ConversationID) {
        counts.withLock { counts in
            let rest = (counts[id] ?? 1) - 1
            counts[id] = rest > 0 ? rest : nil
        }
    }
}
