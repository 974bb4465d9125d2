import ArgumentParser
import ChatCore
import Foundation
import Glibc
import Histories
import Ingest
import MessageStore
import Synchronization

/// Performs a command on a data folder: in this process, or in the server that owns the folder.
struct CommandSession {
    let settings: NexusSettings

    /// Performs a command and shows on standard error how far it is.
    ///
    /// - Parameters:
    ///   - command: What to do.
    ///   - createsFolder: Whether a data folder is made where there is none.
    /// - Returns: What it brought.
    /// - Throws: ``OperatorFailure`` with the line for the operator.
    func perform(_ command: OperatorCommand, createsFolder: Bool = false) async throws -> OperatorOutcome {
        let display = EventDisplay()
        defer { display.close() }
        let exists = FileManager.default.fileExists(atPath: settings.dataFolder.path)
        guard exists || createsFolder else {
            let path = settings.dataFolder.path
            throw OperatorFailure(
                message: access(path, F_OK) != 0 && errno == EACCES
                    ? ErrorText.line(for: StoreOpenError.notPermitted(path: path))
                    : "no data folder at \(path); see --data")
        }
        do {
            let workspace = try await Workspace.open(settings, logger: CommandLogging.logger(settings))
            return try await performHere(command, in: workspace, display: display)
        } catch StoreOpenError.inUse {
            return try await performInServer(command, display: display)
        }
    }

    private func performHere(
        _ command: OperatorCommand, in workspace: Workspace, display: EventDisplay
    ) async throws -> OperatorOutcome {
        do {
            do {
                try await workspace.store.releaseAllLeases()
            } catch let error as RepositoryError where error.isAboutStorage {
                // Commands that only read need none; the others say why they cannot write.
            }
            try await workspace.perform(command) { display.show($0) }
            await workspace.close()
        } catch {
            await workspace.close()
            throw error
        }
        return try display.outcome()
    }

    private func performInServer(_ command: OperatorCommand, display: EventDisplay) async throws -> OperatorOutcome {
        if case .reembed = command {
            Console.note("the server that owns the data folder does this, with its settings for what is not given")
        } else if !settings.givenKeys.isEmpty {
            Console.note(
                "a server owns the data folder, and its settings count; not used: "
                    + settings.givenKeys.joined(separator: ", "))
        }
        let client = try LocalClient(socketPath: LocalSocket.path(in: settings.dataFolder))
        try await client.perform(command) { display.show($0) }
        return try display.outcome()
    }
}

/// Shows events as they come and keeps the last.
private final class EventDisplay: Sendable {
    private struct State {
        var line = ProgressLine()
        var last: Result<OperatorOutcome, OperatorFailure>?
    }

    private let state = Mutex(State())

    func show(_ event: OperatorEvent) {
        state.withLock { state in
            switch event {
            case .progress(let progress): state.line.show(progress)
            case .rejected(let item):
                state.line.close()
                Console.note(Console.printable(item.line))
            case .text(let text): Console.write(Console.printable(text), to: STDOUT_FILENO)
            case .done(let outcome): state.last = .success(outcome)
            case .failed(let failure): state.last = .failure(failure)
            }
        }
    }

    func close() {
        state.withLock { $0.line.close() }
    }

    func outcome() throws -> OperatorOutcome {
        guard let last = state.withLock({ $0.last }) else {
            throw OperatorFailure(message: "the server ended before it was done")
        }
        return try last.get()
    }
}
