package import ChatCore
package import Logging
import ServiceLifecycle

/// Notes which answers become wrong because of later messages.
///
/// It follows the change log, after the messages are stored, and compares each new or edited message of a conversation
/// with the newest answers that are based on that conversation. Its position is kept in the store, and each answer is
/// noted once for a message, so nothing is lost or noted twice if the process is killed.
package struct OutdatedAnswerService: Service {
    /// The number of changes that are read at a time.
    private static let scanLimit = 1_000
    /// How many changes may be looked at again after a restart.
    private static let storedDistance: Int64 = 200

    /// The part of a store that is needed.
    package typealias Store = OutdatedAnswerRepository & VerdictRepository

    private let store: any Store
    private let finder = OutdatedAnswerFinder()
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// Signalled when messages may have arrived.
    private let arrival = WorkSignal()

    /// - Parameters:
    ///   - store: Contains the messages and answers.
    ///   - now: The present time.
    ///   - logger: Receives failures; never texts.
    package init(
        store: any Store, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        (self.store, self.now, self.logger) = (store, now, logger)
    }

    /// Compares until the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var progress: Progress?
            await arrival.repeating(failed: log) {
                let start = progress
                do {
                    progress = try await compare(after: start)
                } catch RepositoryError.expiredCursor where start != nil {
                    // Another log: the store knows how far its messages were compared.
                    progress = try await compare(after: nil)
                }
                return nil
            }
        }
    }

    /// Compares if the changes may contain messages; see ``ChangeFollower/Listener``.
    package func follow(_ changes: [Change]?) {
        if changes?.contains(where: { $0.messageKey != nil }) ?? true { arrival.signal() }
    }

    private func log(_ error: any Error) {
        logger.warning("Answers are not compared with later messages", metadata: ["error.type": "\(type(of: error))"])
    }

    /// How far messages were compared.
    package struct Progress: Hashable, Sendable {
        /// The position up to which they were.
        package var place: ChangeCursor
        /// The position where the next process continues.
        package var stored: ChangeCursor
    }

    /// Compares the messages that changed after a position.
    ///
    /// - Parameter progress: The position; nil to continue where an earlier process stopped.
    /// - Returns: The position up to which it compared.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func compare(after progress: Progress?) async throws -> Progress {
        var progress = if let progress { progress } else { try await begin() }
        while true {
            let (messages, end) = try await store.messagesToCompare(after: progress.place, limit: Self.scanLimit)
            guard end != progress.place else { return progress }
            let said = try await store.verdicts(naming: messages.map(\.key))
            for message in messages { try await compare(message, said: said[message.key] ?? [:]) }
            progress.place = end
            // Not after each message: each would be followed by another transaction.
            guard progress.stored.distance(to: end) ?? .max >= Self.storedDistance else { continue }
            try await store.noteCompared(through: end)
            progress.stored = end
        }
    }

    private func begin() async throws -> Progress {
        let place = try await store.beginOutdatedAnswers()
        return Progress(place: place, stored: place)
    }

    private func compare(_ message: Message, said: [MessageKey: ReplacementVerdict.Kind]) async throws {
        var found: [OutdatedAnswer] = []
        if !said.isEmpty || finder.mayReplace(message),
            let citing = try await store.citingAnswers(
                of: message.key, limit: OutdatedAnswerFinder.citedCount,
                preceding: OutdatedAnswerFinder.precedingCount)
        {
            found = try await finder.answers(outdatedBy: message, among: citing, said: said)
        }
        // What an earlier text of the message replaced is not replaced any more.
        guard !found.isEmpty || message.editedAt != nil else { return }
        let count = try await store.noteOutdated(found, by: message, at: now())
        if count > 0 { logger.debug("Answers are no longer true", metadata: ["answer.count": "\(count)"]) }
    }
}
