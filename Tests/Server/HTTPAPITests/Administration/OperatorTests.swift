import Foundation
import HTTPAPI
import ServerTestSupport
import Synchronization
import TestSupport
import Testing
import Transport
import WebServer

struct OperatorTests {
    /// Calls a body with a new folder of a short path, because socket paths are short.
    private static func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = URL(filePath: "/tmp").appending(path: "nx-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func request(_ socket: URL, path: String = "/operator") -> HTTPExchangeRequest {
        HTTPExchangeRequest(
            method: "POST", url: "http://localhost\(path)", headers: ["Content-Type": "application/json"],
            body: Data(#"{"status":{}}"#.utf8), unixSocketPath: socket.path)
    }

    @Test func writesLinesAsTheyCome() async throws {
        try await Self.withFolder { folder in
            let socket = folder.appending(path: "nexus.sock")
            let bodies = Mutex<[Data]>([])
            let (lines, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            var parts = ServerParts()
            parts.settings.unixSocketPath = socket.path
            parts.performs = { body in
                bodies.withLock { $0.append(body) }
                return lines
            }

            try await withServer(parts) { server in
                let response = try await { () async throws -> HTTPStreamedResponse in
                    continuation.yield(Data("{\"a\":1}".utf8))
                    return try await server.transport.stream(Self.request(socket))
                }()
                var iterator = response.body.makeAsyncIterator()
                let first = try await iterator.next()
                continuation.yield(Data("{}".utf8))
                continuation.finish()
                var rest = Data()
                while let piece = try await iterator.next() { rest.append(piece) }

                #expect(response.status == 200)
                #expect(response.headers["Content-Type"] == "application/x-ndjson")
                #expect(first == Data("{\"a\":1}\n".utf8))
                #expect(rest == Data("{}\n".utf8))
            }
            #expect(bodies.withLock { $0 } == [Data(#"{"status":{}}"#.utf8)])
            #expect(!FileManager.default.fileExists(atPath: socket.path))
        }
    }

    @Test func answersTheCommonRoutesThereToo() async throws {
        try await Self.withFolder { folder in
            var parts = ServerParts()
            let socket = folder.appending(path: "nexus.sock")
            parts.settings.unixSocketPath = socket.path
            var request = Self.request(socket, path: "/health")
            request.method = "GET"
            request.body = nil
            let health = request

            let (local, remote) = try await withServer(parts) { server in
                (
                    Reply(try await server.transport.send(health)),
                    try await server.send("POST", "/operator", "{}")
                )
            }

            #expect(local.text == #"{"status":"ok"}"#)
            #expect(remote.status == 404)
        }
    }

    @Test func theOperatorAsksAsAnyUserAndNamesOne() async throws {
        try await Self.withFolder { folder in
            var parts = ServerParts(try TokenForge().settings([.ec]))
            let socket = folder.appending(path: "nexus.sock")
            parts.settings.unixSocketPath = socket.path
            var request = Self.request(socket, path: "/v1/threads")
            request.method = "GET"
            request.body = nil
            let unnamed = request
            request.headers["X-Nexus-User"] = "zoë"
            let named = request

            let (refused, listed, remote) = try await withServer(parts) { server in
                (
                    Reply(try await server.transport.send(unnamed)), Reply(try await server.transport.send(named)),
                    try await server.send("GET", "/v1/threads", headers: [("X-Nexus-User", "ada")])
                )
            }

            #expect(refused.status == 401 && refused.field("code") == "user_required")
            #expect(listed.status == 200, "\(listed.text)")
            #expect(remote.status == 401)
        }
    }

    @Test func closesTheSocketToOthersAndReplacesAStaleOne() async throws {
        try await Self.withFolder { folder in
            var parts = ServerParts()
            let socket = folder.appending(path: "nexus.sock")
            parts.settings.unixSocketPath = socket.path
            try Self.leaveSocket(at: socket.path)

            let (mode, files) = try await withServer(parts) { _ in
                let attributes = try FileManager.default.attributesOfItem(atPath: socket.path)
                return (
                    attributes[.posixPermissions] as? Int,
                    try FileManager.default.contentsOfDirectory(atPath: folder.path)
                )
            }

            #expect(mode == 0o600)
            #expect(files == ["nexus.sock"])
        }
    }

    /// Binds a socket and closes it without removing its file, as a crash does.
    private static func leaveSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    @Test func leavesAFileAloneThatIsNoSocket() async throws {
        try await Self.withFolder { folder in
            let path = folder.appending(path: "nexus.sock").path
            try Data("mine".utf8).write(to: URL(filePath: path))
            var parts = ServerParts()
            parts.settings.unixSocketPath = path
            let services = try parts.services(store: InMemoryStore()) { _ in }

            await #expect(
                throws: WebServerError.cannotListenLocally(path: path, reason: "there is a file that is not a socket")
            ) { try await HTTPAPIServer(settings: parts.settings, services: services).run() }

            #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        }
    }

    @Test func refusesAPathThatIsTooLong() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 90)
        var parts = ServerParts()
        parts.settings.unixSocketPath = path
        let services = try parts.services(store: InMemoryStore()) { _ in }

        await #expect(
            throws: WebServerError.cannotListenLocally(path: path, reason: "the path has more than 90 bytes")
        ) { try await HTTPAPIServer(settings: parts.settings, services: services).run() }
    }

    @Test func endsACommandWhenItsClientGoesAway() async throws {
        try await Self.withFolder { folder in
            let socket = folder.appending(path: "nexus.sock")
            let (ends, ended) = AsyncStream<Void>.makeStream()
            var parts = ServerParts()
            parts.settings.unixSocketPath = socket.path
            parts.performs = { _ in
                AsyncThrowingStream { continuation in
                    continuation.yield(Data("{}".utf8))
                    continuation.onTermination = { _ in
                        _ = continuation
                        ended.yield()
                    }
                }
            }

            try await withServer(parts) { server in
                let response = try await server.transport.stream(Self.request(socket))
                for try await _ in response.body { break }
                var iterator = ends.makeAsyncIterator()
                #expect(await iterator.next() != nil)
            }
        }
    }
}
