import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Histories
import Retrieval
import UseCases

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
            workspaceURL: upload.workspaceURL, areChannelsOpen: upload.areChannelsOpen)
        return events { emit in
            guard upload.isDryRun else {
                return try await self.perform(
                    .importHistory(files: [upload.path], options: options), isServing: true
                ) { try await emit($0.withoutPath(of: upload)) }
            }
            do {
                let outcome = try await self.previewImport([upload.path], options: options) {
                    try await emit($0.withoutPath(of: upload))
                }
                try await emit(.done(outcome).withoutPath(of: upload))
            } catch let error as CancellationError {
                throw error
            } catch {
                let failure = OperatorEvent.failed(OperatorFailure(message: ErrorText.line(for: error)))
                try await emit(failure.withoutPath(of: upload))
            }
        }
    }

    /// Reads histories and compares them with what is stored.
    func previewImport(_ files: [String], options: HistoryOptions, emit: Emit) async throws -> OperatorOutcome {
        var summary = try await HistoryPreview(options: options, store: store, now: now()).run(
            files.map { URL(filePath: $0) }
        ) { progress in
            try await emit(
                .progress(
                    StageProgress(stage: .importing, done: progress.byteCount, total: progress.totalByteCount)))
        } rejected: { item in
            try await emit(.rejected(item))
        }
        summary.cost = settings.embedding.pricePerMillion.map { $0 * Double(summary.tokenCount) / 1_000_000 }
        return .importPreviewed(summary, memberships: try await previewMembers(summary.conversations))
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
