import ChatCore
import Foundation
import Histories
import MessageStore

/// Imports histories of other chats, or shows what an import would change.
struct HistoryImports: Sendable {
    let store: SQLStore
    /// The price of embedding a million tokens; nil if it is unknown.
    let pricePerMillion: Double?
    let now: @Sendable () -> Timestamp

    /// Imports histories.
    func run(_ files: [String], options: HistoryOptions, emit: Emit) async throws -> ImportReport {
        let history = HistoryImport(store: store, options: options, now: now)
        return try await history.run(files.map { URL(filePath: $0) }) { progress in
            try await emit(.importing(progress))
        } rejected: { item in
            try await emit(.rejected(item))
        }
    }

    /// Reads histories and compares them with what is stored.
    ///
    /// - Returns: What the histories hold, and the members that would join or leave.
    func preview(
        _ files: [String], options: HistoryOptions, emit: Emit
    ) async throws -> (HistorySummary, [MembershipPreview]) {
        var summary = try await HistoryPreview(options: options, store: store, now: now()).run(
            files.map { URL(filePath: $0) }
        ) { progress in
            try await emit(.importing(progress))
        } rejected: { item in
            try await emit(.rejected(item))
        }
        summary.cost = pricePerMillion.map { $0 * Double(summary.tokenCount) / 1_000_000 }
        let told = summary.conversations.filter { $0.visibility != nil }
        return (
            summary, try await store.previewImport(told.map { (source: $0.source, roster: $0.roster) }, at: now())
        )
    }
}

extension OperatorEvent {
    fileprivate static func importing(_ progress: ImportProgress) -> OperatorEvent {
        .progress(StageProgress(stage: .importing, done: progress.byteCount, total: progress.totalByteCount))
    }
}
