import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Histories
import Retrieval
import UseCases

/// Commands of operators and their events as they cross the HTTP API of a server: lines of JSON.
struct OperatorLines: Sendable {
    let desk: OperatorDesk

    /// Performs a command that came as JSON.
    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error> {
        events { emit in
            let command = try JSONDecoder().decode(OperatorCommand.self, from: command)
            try await desk.perform(command, isServing: true, emit: emit)
        }
    }

    /// Performs a command of an administrator.
    func administer(
        _ command: Data, by actor: AuditActor, from origin: AuditOrigin
    ) throws(AdministrationFault) -> AsyncThrowingStream<Data, any Error> {
        guard let command = try? JSONDecoder().decode(OperatorCommand.self, from: command) else { throw .unknown }
        guard command.isForAdministrators else { throw .forbidden }
        return events { emit in
            try await desk.perform(command, by: actor, from: origin, isServing: true, emit: emit)
        }
    }

    /// Imports a history that an administrator sent, or shows what would be imported.
    func importHistory(
        _ upload: HistoryUpload, by actor: AuditActor, from origin: AuditOrigin
    ) -> AsyncThrowingStream<Data, any Error> {
        let options = HistoryOptions(
            dateOrder: upload.dateOrder.flatMap(DateOrder.init), timeZone: upload.timeZone,
            workspaceURL: upload.workspaceURL, areChannelsOpen: upload.areChannelsOpen)
        return events { emit in
            guard upload.isDryRun else {
                return try await desk.perform(
                    .importHistory(files: [upload.path], options: options), by: actor, from: origin, isServing: true
                ) { try await emit($0.withoutPath(of: upload)) }
            }
            do {
                let outcome = try await desk.preview([upload.path], options: options) {
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

    /// Returns the events of work as lines of JSON; the work is cancelled when nobody reads them.
    private func events(of work: @escaping @Sendable (Emit) async throws -> Void) -> AsyncThrowingStream<
        Data, any Error
    > {
        AsyncThrowingStream { continuation in
            let work = Task {
                do {
                    try await work { event in
                        try Task.checkCancellation()
                        continuation.yield(try JSONEncoder().encode(event))
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    /// The line about an error that people or a service caused; nil for others.
    func line(for error: any Error) -> String? {
        switch error {
        case is RepositoryError, is LimitError, is RetrievalError, is ModelServiceError, is DailyTokensUsedUp:
            ErrorText.line(for: error)
        default: nil
        }
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
