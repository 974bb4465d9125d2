import ArgumentParser
import ChatCore
import Foundation
import Glibc
import Histories
import Ingest
import MessageStore
import ModelClients
import NexusModel
import Synchronization
import UseCases

/// Performs a command on a data folder: in this process, or in the server that owns the folder.
struct CommandSession {
    let settings: NexusSettings

    /// Performs a command and shows its progress on standard error.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - createsFolder: Whether a data folder is made if there is none.
    /// - Returns: The result.
    /// - Throws: ``OperatorFailure`` with the line for the operator.
    func perform(_ command: OperatorCommand, createsFolder: Bool = false) async throws -> OperatorOutcome {
        let display = EventDisplay()
        defer { display.close() }
        try requireFolder(createsFolder: createsFolder)
        do {
            try await withNode { node in try await OperatorDesk(node).perform(command) { display.show($0) } }
        } catch StoreOpenError.inUse {
            if case .reembed = command {
                Console.note(
                    "the server that owns the data folder does this, with its own settings for missing options"
                )
            } else {
                printIgnoredSettings()
            }
            try await server().perform(command) { display.show($0) }
        }
        return try display.outcome()
    }

    /// Gives `body` a client of the HTTP API: of the server that owns the data folder, or of this process.
    ///
    /// - Parameter body: Sends requests.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; ``OperatorFailure`` with the line for the operator.
    func withAPI<Value: Sendable>(_ body: (APIClient) async throws -> Value) async throws -> Value {
        let display = EventDisplay()
        defer { display.close() }
        try requireFolder(createsFolder: false)
        do {
            return try await withNode { node in
                try await CommandServer(node: node).run { client in
                    try await body(APIClient(client: client, display: display))
                }
            }
        } catch StoreOpenError.inUse {
            printIgnoredSettings()
            return try await body(APIClient(client: try server(), display: display))
        }
    }

    /// Sends one request to the HTTP API.
    func send(_ request: APIRequest) async throws -> APIResponse { try await withAPI { try await $0.send(request) } }

    private func requireFolder(createsFolder: Bool) throws {
        let path = settings.dataFolder.path
        // The folder of a node holds nothing that is not in the database.
        guard createsFolder || settings.database != nil || FileManager.default.fileExists(atPath: path) else {
            throw OperatorFailure(
                message: access(path, F_OK) != 0 && errno == EACCES
                    ? ErrorText.line(for: StoreOpenError.notPermitted(path: path))
                    : "no data folder at \(path); see --data")
        }
    }

    private func withNode<Value: Sendable>(_ body: (Node) async throws -> Value) async throws -> Value {
        let node = try await Node.open(settings, logger: CommandLogging.logger(settings))
        do {
            do {
                let store = node.workspace.store
                if store.ownsLeasesAtStart { try await store.releaseAllLeases() }
            } catch let error as RepositoryError where error.isAboutStorage {
                // Commands that only read need no lease; the others report why they cannot write.
            }
            let value = try await body(node)
            await node.close()
            return value
        } catch {
            await node.close()
            throw error
        }
    }

    private func server() throws -> LocalClient {
        try LocalClient(socketPath: LocalSocket.path(in: settings.dataFolder))
    }

    private func printIgnoredSettings() {
        guard !settings.givenKeys.isEmpty else { return }
        Console.note(
            "a server owns the data folder, so its settings apply; ignored: "
                + settings.givenKeys.joined(separator: ", "))
    }
}

/// A client of the HTTP API that shows the progress of requests on standard error.
struct APIClient {
    fileprivate let client: LocalClient
    fileprivate let display: EventDisplay

    /// The path of the socket where the server listens.
    var socketPath: String { client.socketPath }

    /// Sends a request; pieces of an answer that streams are written to standard output as they come.
    func send(_ request: APIRequest) async throws -> APIResponse {
        try await client.send(request) { display.show($0) }
    }

    /// Reads a list page by page.
    ///
    /// - Parameters:
    ///   - request: The request for the first page; its path must have a query.
    ///   - cursor: The parameter that takes the `next` of the previous page.
    ///   - limit: The most elements.
    ///   - type: The type of the elements.
    /// - Returns: The elements in order.
    /// - Throws: ``OperatorFailure``.
    func all<Element: Decodable>(
        _ request: APIRequest, from cursor: String, limit: Int = .max, as type: Element.Type = Element.self
    ) async throws -> [Element] {
        var elements: [Element] = []
        var next: String?
        repeat {
            var request = request
            if let next { request.path += "&\(cursor)=\(MessageLink.encoded(next))" }
            let page = try await send(request).value(APIPage<Element>.self)
            elements += page.elements
            next = page.next
        } while next != nil && elements.count < limit
        return Array(elements.prefix(limit))
    }
}

/// Shows events as they come and keeps the last.
final class EventDisplay: Sendable {
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
            case .done(let outcome): state.last = .success(outcome)
            case .failed(let failure): state.last = .failure(failure)
            }
        }
    }

    /// Shows an event of an answer that streams.
    func show(_ event: ServerSentEvent) {
        let data = Data(event.data.utf8)
        switch event.kind {
        case "progress":
            guard let progress = try? JSONDecoder().decode(NexusModel.AnswerEvent.Progress.self, from: data) else {
                return
            }
            show(.progress(StageProgress(stage: .summarizing, done: progress.part, total: progress.parts)))
        case "delta":
            guard let delta = try? JSONDecoder().decode(NexusModel.AnswerEvent.Delta.self, from: data) else { return }
            close()
            Console.write(Console.printable(delta.text), to: STDOUT_FILENO)
        default: break
        }
    }

    func close() {
        state.withLock { $0.line.close() }
    }

    func outcome() throws -> OperatorOutcome {
        guard let last = state.withLock({ $0.last }) else {
            throw OperatorFailure(message: "the server ended before the command was done")
        }
        return try last.get()
    }
}
