import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Histories
import Retrieval
import Synchronization

extension OperatorCommand {
    /// Whether administrators may give it over the network: it names no file of the server's machine.
    var isForAdministrators: Bool {
        switch self {
        case .status, .doctor, .listGenerations, .switchGeneration, .dropGeneration, .reembed, .listFailed,
            .retryFailed, .ingest, .listUsers, .mapUser, .setUserKind, .listConversations, .previewMembers,
            .createKey, .listKeys, .revokeKey, .erase:
            true
        case .importHistory, .writeFeedback, .compareGenerations, .mapUsers, .mapUsersByEmail, .showConversation,
            .inviteAccount, .listAccounts, .changeAccount, .resetAccount, .backup:
            false
        }
    }
}

extension Workspace {
    /// Performs a command of an administrator.
    func administer(_ command: Data) throws(AdministrationFault) -> AsyncThrowingStream<Data, any Error> {
        guard let command = try? JSONDecoder().decode(OperatorCommand.self, from: command) else { throw .unknown }
        guard command.isForAdministrators else { throw .forbidden }
        return events { emit in try await self.perform(command, isServing: true, emit: emit) }
    }

    /// Imports a history that an administrator sent, or shows what would be imported.
    func importHistory(_ upload: HistoryUpload) -> AsyncThrowingStream<Data, any Error> {
        let options = HistoryOptions(
            dateOrder: upload.dateOrder.flatMap(DateOrder.init), timeZone: upload.timeZone,
            workspaceURL: upload.workspaceURL)
        return events { emit in
            guard upload.isDryRun else {
                return try await self.perform(
                    .importHistory(files: [upload.path], options: options), isServing: true
                ) { try await emit($0.withoutPath(of: upload)) }
            }
            do {
                let summary = try await self.preview(upload, options: options, emit: emit)
                let memberships = try await self.previewMembers(summary.conversations)
                try await emit(
                    .done(.importPreviewed(summary, memberships: memberships)).withoutPath(of: upload))
            } catch let error as CancellationError {
                throw error
            } catch {
                let failure = OperatorEvent.failed(OperatorFailure(message: ErrorText.line(for: error)))
                try await emit(failure.withoutPath(of: upload))
            }
        }
    }

    private func preview(
        _ upload: HistoryUpload, options: HistoryOptions, emit: Emit
    ) async throws -> HistorySummary {
        let (events, continuation) = AsyncStream<OperatorEvent>.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        // Tells the reading thread, which does not see the task's cancellation.
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            async let summary = Self.read(
                upload, options: options, at: now(), into: continuation, until: cancellation)
            for await event in events { try await emit(event.withoutPath(of: upload)) }
            var found = try await summary
            found.cost = settings.embedding.pricePerMillion.map { $0 * Double(found.tokenCount) / 1_000_000 }
            return found
        } onCancel: {
            cancellation.cancel()
            continuation.finish()
        }
    }

    private static func read(
        _ upload: HistoryUpload, options: HistoryOptions, at now: Timestamp,
        into events: AsyncStream<OperatorEvent>.Continuation, until cancellation: Cancellation
    ) async throws -> HistorySummary {
        defer { events.finish() }
        return try await onOwnThread {
            try HistoryPreview(options: options, now: now).run([URL(filePath: upload.path)]) { progress in
                if cancellation.isCancelled { throw CancellationError() }
                events.yield(
                    .progress(
                        StageProgress(stage: .importing, done: progress.byteCount, total: progress.totalByteCount)))
            } rejected: { item in
                events.yield(.rejected(item))
            }
        }
    }

    /// Sends each configured model service a short request.
    func checkModels() async -> [ModelCheck] {
        var checks = [
            await check("embedding", settings.embedding.service?.model ?? "built-in encoder") {
                _ = try await embedders.configured.embedQuery("hello")
            }
        ]
        if let model {
            checks.append(await check("chat", model.name) { try await GuardedModel.probe(model.base) })
        } else {
            checks.append(
                ModelCheck(
                    name: "chat", isReady: true, detail: "no model: answers quote messages", milliseconds: 0))
        }
        if let reranker {
            checks.append(
                await check("rerank", settings.rerank?.service.model ?? "") {
                    _ = try await reranker.base.scores(of: ["hello"], for: "hello")
                })
        }
        return checks
    }

    private func check(_ name: String, _ model: String, _ body: () async throws -> Void) async -> ModelCheck {
        let start = ContinuousClock.now
        var failure: String?
        do {
            try await body()
        } catch {
            failure = ErrorText.line(for: error)
        }
        let (seconds, attoseconds) = start.duration(to: .now).components
        return ModelCheck(
            name: name, isReady: failure == nil, detail: failure ?? model,
            milliseconds: Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}

/// Tells a thread that nobody waits for its work any longer.
private final class Cancellation: Sendable {
    private let state = Mutex(false)

    var isCancelled: Bool { state.withLock { $0 } }

    func cancel() { state.withLock { $0 = true } }
}

extension OperatorEvent {
    /// The same without the folder in which the file was kept.
    fileprivate func withoutPath(of upload: HistoryUpload) -> OperatorEvent {
        let folder = URL(filePath: upload.path).deletingLastPathComponent().path + "/"
        switch self {
        case .failed(let failure):
            return .failed(OperatorFailure(message: failure.message.replacingOccurrences(of: folder, with: "")))
        case .rejected(let item): return .rejected(item.withoutFolder(folder))
        default: return self
        }
    }
}
