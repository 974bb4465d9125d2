import AsyncAlgorithms
package import ChatCore
package import Foundation

/// The result of an import.
package struct ImportReport: Hashable, Sendable, Codable {
    /// Conversations that were not there before.
    package var newConversations = 0
    /// Messages that were not there before.
    package var insertedMessages = 0
    /// Messages that were there with other content and were renewed.
    package var updatedMessages = 0
    /// Messages that were there already.
    package var unchangedMessages = 0
    /// Messages that are deleted in the history, or were deleted here and stay so.
    package var deletedMessages = 0
    /// Lines or elements that could not be taken.
    package var rejectedItems = 0
    /// Stored messages that an export of the same chat and time does not have; they stay.
    package var missingMessages = 0
    /// People whom an export calls otherwise than before; they stay the same people.
    package var renamed: [ChatComparison.Renaming] = []
    /// Items that were skipped on purpose, by reason.
    package var skipped: [SkipReason: Int] = [:]
    /// What was taken in a narrower or simpler form.
    package var notes: [ImportNote] = []
    /// Whether there are conversations of JSON lines, new or known before; other formats have them for messages only.
    package var hasOwnConversations = false

    package init() {}

    /// Whether the history has nothing to store: no message, new or known before, and no conversation of JSON lines.
    package var isEmpty: Bool {
        !hasOwnConversations && insertedMessages == 0 && updatedMessages == 0 && unchangedMessages == 0
            && deletedMessages == 0
    }

    mutating func add(_ alignment: HistoryAlignment?) {
        for (_, comparison) in (alignment?.comparisons ?? [:]).sorted(by: { $0.key < $1.key }) {
            missingMessages += comparison.missing
            for renaming in comparison.renamed where !renamed.contains(renaming) { renamed.append(renaming) }
        }
    }
}

/// How far an import is.
package struct ImportProgress: Hashable, Sendable, Codable {
    /// Bytes read.
    package let byteCount: Int
    /// Bytes of all files, unpacked, if known.
    package let totalByteCount: Int
}

/// Imports histories of every format; importing one again changes nothing.
///
/// Messages without ids are first compared with what is stored of their chat; see ``HistoryAlignment``. Some thousand
/// items are stored at a time, the messages of each batch in one transaction. Items that were reported as
/// stored survive a crash, and a repeated import continues after them.
package struct HistoryImport {
    private let store: any ImportStore
    private let options: HistoryOptions
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - store: Stores the messages.
    ///   - options: Options of the histories.
    ///   - now: The present time.
    package init(
        store: any ImportStore, options: HistoryOptions,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.options = options
        self.now = now
    }

    /// Imports histories in their order; in JSON lines, conversations must come before their messages.
    ///
    /// - Parameters:
    ///   - files: Files, folders or archives.
    ///   - progress: Called after each batch is stored.
    ///   - rejected: Called for each rejected item; all others are imported.
    /// - Returns: The counts.
    /// - Throws: ``ImportFileError`` for a file that cannot be read, ``RepositoryError`` when the store fails.
    package func run(
        _ files: [URL], progress: @Sendable (ImportProgress) async throws -> Void,
        rejected: @Sendable (RejectedItem) async throws -> Void
    ) async throws -> ImportReport {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let reading = try HistoryReading(files, options: options.at(now()))
            var report = ImportReport()
            report.skipped = reading.skippedFiles
            report.notes = reading.notes
            var names: [String: EarlierNames] = [:]
            let batches = AsyncThrowingChannel<HistoryReading.Batch, any Error>()
            group.addTask { await Self.read(reading, into: batches) }
            var aligned: (number: Int, alignment: HistoryAlignment?)?
            for try await var batch in batches {
                if aligned?.number != batch.number {
                    let alignment = try await HistoryAlignment(batch.part, options: options, store: store)
                    aligned = (batch.number, alignment)
                    report.add(alignment)
                }
                if let items = try await aligned?.alignment?.aligned(batch.items) { batch.items = items }
                try await store(batch, into: &report, names: &names, rejected: rejected)
                try await progress(batch.progress)
            }
            // A cancelled channel looks like a finished one.
            try Task.checkCancellation()
            try await storeNames(names)
            return report
        }
    }

    /// Adds the names that messages show to the aliases of their senders.
    private func storeNames(_ names: [String: EarlierNames]) async throws {
        for (source, names) in names.sorted(by: { $0.key < $1.key }) {
            for id in names.conversations {
                guard let stored = try await storedRoster(of: id), let renamed = names.renamed(in: stored) else {
                    continue
                }
                _ = try await store.store([renamed.cutToLimits()], source: source, mode: .importing, at: now())
            }
        }
    }

    private func earlierNames(of source: String, in names: [String: EarlierNames]) async throws -> EarlierNames {
        if let known = names[source] { return known }
        return EarlierNames(try await store.identities(), source: source)
    }

    private func storedRoster(of id: ConversationID) async throws -> ConversationRoster? {
        do {
            return try await store.roster(of: id)
        } catch RepositoryError.noSuchConversation {
            return nil
        }
    }

    /// Reads a batch while the one before is being stored.
    private static func read(
        _ reading: HistoryReading, into batches: AsyncThrowingChannel<HistoryReading.Batch, any Error>
    ) async {
        var reading = reading
        do {
            // Sending ends at once when the import was cancelled or has failed.
            while !Task.isCancelled, let batch = try reading.next() { await batches.send(batch) }
            batches.finish()
        } catch {
            batches.fail(error)
        }
    }

    /// Stores a batch.
    private func store(
        _ items: HistoryReading.Batch, into report: inout ImportReport, names: inout [String: EarlierNames],
        rejected: (RejectedItem) async throws -> Void
    ) async throws {
        var batch = Batch(items)
        var known = try await earlierNames(of: items.source, in: names)
        try await keepNames(of: &batch, known)
        for message in batch.messages where message.deletedAt == nil { known.remember(message.value) }
        names[items.source] = known
        if items.part.format == .jsonLines, !batch.rosters.isEmpty { report.hasOwnConversations = true }
        report.newConversations += try await storeConversations(of: &batch)
        try await storeAuthors(of: &batch)
        try Task.checkCancellation()
        let messages = batch.messages
        let outcomes =
            messages.isEmpty
            ? [] : try await store.accept(messages.map(\.value), source: items.source, mode: .importing, at: now())
        for (message, outcome) in zip(messages, outcomes) {
            if let deletedAt = message.deletedAt, outcome.isThere {
                try await store.delete(message.value.key, by: .server(defaultUser: nil), at: deletedAt)
                report.deletedMessages += 1
            } else {
                batch.count(outcome, of: message, in: &report)
            }
        }
        report.unchangedMessages += batch.knownCount
        let rejects = batch.rejects
        report.rejectedItems += rejects.count
        report.skipped.merge(batch.skipped) { $0 + $1 }
        for note in batch.notes { report.notes.add(note) }
        for reject in rejects {
            try await rejected(RejectedItem(file: items.file, place: reject.place, reason: reject.reason))
        }
    }

    /// Adds the stored names of the batch's members to their aliases.
    private func keepNames(of batch: inout Batch, _ names: EarlierNames) async throws {
        for index in batch.rosters.indices where !batch.rosters[index].value.members.isEmpty {
            let roster = batch.rosters[index].value
            guard let stored = try await storedRoster(of: roster.conversation.id) else { continue }
            batch.rosters[index].value = names.merged(roster, stored: stored).cutToLimits()
        }
    }

    /// Stores the batch's conversations at once, or one by one when something is wrong with one of them.
    private func storeConversations(of batch: inout Batch) async throws -> Int {
        let rosters = batch.rosters
        guard !rosters.isEmpty else { return 0 }
        if Set(rosters.map(\.value.conversation.id)).count == rosters.count {
            do {
                return try await store.store(
                    rosters.map(\.value), source: batch.source, mode: .importing, at: now())
            } catch RepositoryError.invalid, RepositoryError.conflict {
                // Nothing was stored; the code below finds the faulty item.
            }
        }
        var count = 0
        for roster in rosters {
            do {
                count += try await store.store([roster.value], source: batch.source, mode: .importing, at: now())
            } catch RepositoryError.invalid(let field, let reason) {
                batch.reject(roster, "field \"\(field)\": \(reason)")
            } catch RepositoryError.conflict(let reason) {
                batch.reject(roster, reason)
            }
        }
        return count
    }

    /// Notes the batch's authors at once, or one by one when something is wrong with one of them.
    private func storeAuthors(of batch: inout Batch) async throws {
        let authors = batch.authors
        guard !authors.isEmpty else { return }
        do {
            return try await store.storeAuthors(authors.map(\.value))
        } catch RepositoryError.invalid {
            // Nothing was stored; the code below finds the faulty item.
        }
        for author in authors {
            do {
                try await store.storeAuthors([author.value])
            } catch RepositoryError.invalid(let field, let reason) {
                batch.reject(author, "field \"\(field)\": \(reason)")
            }
        }
    }
}
