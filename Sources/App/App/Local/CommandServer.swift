import Foundation
import HTTPAPI
import ServiceLifecycle
import UseCases

/// Serves the HTTP API to one command of this process, on a private socket.
///
/// So commands use the same routes whether a server owns the data folder or not.
struct CommandServer {
    let node: Node

    /// Serves while `body` runs.
    ///
    /// - Parameter body: Gets a client of the server.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; ``OperatorFailure`` if no socket can be made.
    func run<Value: Sendable>(_ body: (LocalClient) async throws -> Value) async throws -> Value {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "api.sock").path
        let (listening, continuation) = AsyncStream<Void>.makeStream()
        let host = NodeHost(node, showsMetrics: false) { _ in continuation.yield() }
        var settings = HTTPAPISettings(node.workspace.settings)
        settings.servesTCP = false
        settings.drainDuration = .zero
        settings.authentication = nil
        settings.unixSocketPath = path
        let server = HTTPAPIServer(settings: settings, services: HTTPAPIServices(node, host: host))
        // A graceful stop lets connections end; a cancelled one logs an error for each.
        let service = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.init(service: server)], logger: node.workspace.logger))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await service.run()
            }
            var iterator = listening.makeAsyncIterator()
            guard await iterator.next() != nil else {
                try await group.waitForAll()
                throw CancellationError()
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(try LocalClient(socketPath: path)))
            } catch {
                result = .failure(error)
            }
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

/// A folder that only this user can open.
private struct TemporaryFolder {
    let url: URL

    init() throws {
        // Not TMPDIR: the path of a socket is short.
        var template = Array("/tmp/nexus.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw OperatorFailure(message: "no folder can be made in /tmp: \(String(cString: strerror(errno)))")
        }
        url = URL(filePath: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
