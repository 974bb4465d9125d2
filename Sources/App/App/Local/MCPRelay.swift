import ChatCore
import Foundation
import ModelClients
import NexusModel
import Synchronization
import Transport
import UseCases

/// Passes messages of the Model Context Protocol from standard input to a server's `/mcp`, and its answers back.
///
/// Each message is a line, and each answer too (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports).
/// Messages are sent at once, without waiting for the answers to earlier ones.
final class MCPRelay: Sendable {
    /// Where messages go: a server at an address, or the one that owns a data folder.
    struct Target: Sendable {
        var url: String
        var socketPath: String?
        var user: UserID?
        /// Returns the token of the person, or a key; nil if the server needs none.
        var token: @Sendable () throws -> String? = { nil }
    }

    /// A server limits its answers itself, so a client waits for a long time.
    private static let deadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(3_600))
    private static let versionField = "protocolVersion"
    private static let metaPrefix = "io.modelcontextprotocol/"

    private let target: Target
    private let transport: CurlTransport
    /// The revision that `initialize` agreed on; later requests name it.
    private let revision = Mutex<String?>(nil)
    /// Held while an answer is written.
    private let turn = Mutex(())

    /// - Parameter target: Where messages go.
    /// - Throws: The error of the transport that cannot be made.
    init(_ target: Target) throws {
        self.target = target
        transport = try CurlTransport(configuration: .init(usesProxyVariables: target.socketPath == nil))
    }

    /// Passes on each line until there are no more, and every answer is written.
    ///
    /// - Parameters:
    ///   - lines: What the local program says.
    ///   - write: Takes each answer as a line without its end; called by one task at a time.
    func run(_ lines: AsyncStream<String>, write: @escaping @Sendable (String) -> Void) async {
        await withDiscardingTaskGroup { group in
            for await line in lines where line.contains(where: { !$0.isWhitespace }) {
                group.addTask {
                    guard let answer = await self.answer(to: Data(line.utf8)) else { return }
                    self.turn.withLock { _ in write(answer) }
                }
            }
        }
    }

    /// Returns the answer to a message; nil for one that needs none.
    func answer(to data: Data) async -> String? {
        guard let message = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            return Self.error(-32_700, "the line is no JSON", id: .null)
        }
        let id = message["id"]
        do {
            let reply = try await transport.send(try request(data, message))
            let text = String(decoding: reply.body.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: reply.body) else {
                return reply.status == 202 ? nil : failure("the server answered \(reply.status)", id: id)
            }
            guard value.isRPC else { return failure(Self.detail(of: reply), id: id) }
            if case .string(let agreed) = value["result"]?[Self.versionField] { revision.withLock { $0 = agreed } }
            return text
        } catch let error as TransportError {
            return failure("the server cannot be reached: \(error.description)", id: id)
        } catch {
            return failure(ErrorText.line(for: error), id: id)
        }
    }

    private func request(_ data: Data, _ message: JSONValue) throws -> HTTPExchangeRequest {
        var headers: HTTPHeaders = ["Content-Type": "application/json", "Accept": "application/json"]
        for (name, value) in Self.headers(of: message, agreed: revision.withLock { $0 }) { headers[name] = value }
        if let user = target.user { headers["X-Nexus-User"] = user.rawValue }
        if let token = try target.token() { headers["Authorization"] = "Bearer \(token)" }
        return HTTPExchangeRequest(
            method: "POST", url: target.url + "/mcp", headers: headers, body: data, unixSocketPath: target.socketPath,
            deadlines: Self.deadlines)
    }

    /// Returns the headers that repeat what a message says, as revision 2026-07-28 wants them.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - agreed: The revision of the connection, for messages that do not name one.
    /// - Returns: Names and values.
    static func headers(of message: JSONValue, agreed: String?) -> [(name: String, value: String)] {
        let params = message["params"]
        guard case .string(let version) = params?["_meta"]?[metaPrefix + versionField] else {
            let isFirst = message["method"] == .string("initialize")
            return isFirst ? [] : agreed.map { [("MCP-Protocol-Version", $0)] } ?? []
        }
        var headers = [("MCP-Protocol-Version", version)]
        if case .string(let method) = message["method"] { headers.append(("Mcp-Method", encoded(method))) }
        if case .string(let name) = params?["name"] ?? params?["uri"] { headers.append(("Mcp-Name", encoded(name))) }
        return headers
    }

    /// Writes a text so that a header can hold it.
    private static func encoded(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.hasPrefix("=?")
        return isPlain ? text : "=?base64?\(Data(text.utf8).base64EncodedString())?="
    }

    private static func detail(of reply: HTTPExchangeResponse) -> String {
        let detail = APIResponse.detail(of: reply.body)
        return reply.status == 401 ? "\(detail): give nexus mcp another token" : detail
    }

    /// A message without an id gets no answer, so its failure goes to standard error.
    private func failure(_ text: String, id: JSONValue?) -> String? {
        guard let id else {
            Console.note("nexus: \(text)")
            return nil
        }
        return Self.error(-32_000, text, id: id)
    }

    private static func error(_ code: Int64, _ text: String, id: JSONValue) -> String? {
        let value = JSONValue.object([
            "jsonrpc": .string("2.0"), "id": id,
            "error": .object(["code": .integer(code), "message": .string(text)]),
        ])
        return (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONValue {
    fileprivate subscript(_ name: String) -> JSONValue? {
        if case .object(let fields) = self { fields[name] } else { nil }
    }

    /// Whether it is an answer of JSON-RPC, or several.
    fileprivate var isRPC: Bool {
        if case .array = self { true } else { self["jsonrpc"] != nil }
    }
}
