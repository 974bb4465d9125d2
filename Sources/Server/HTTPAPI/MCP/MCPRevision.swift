import ChatCore
import Foundation
import HTTPTypes
import WebServer

/// A revision of the Model Context Protocol, newest first.
enum MCPRevision: String, CaseIterable, Sendable {
    /// Without a handshake: each request says its version and the abilities of its client.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    /// With batches, and the one of a request that names none.
    case batching = "2025-03-26"

    /// The revisions that begin with `initialize`, newest first.
    static let withHandshake = allCases.filter { $0 != .stateless }

    /// The revision that a request names, in the header or in the message.
    ///
    /// - Throws: ``RPCFault/unsupportedVersion(_:)``.
    init(header: String?, message: RPCMessage?) throws(RPCFault) {
        let named = header ?? message?.meta("protocolVersion")
        guard let named else {
            self = .batching
            return
        }
        guard let known = MCPRevision(rawValue: named) else { throw .unsupportedVersion(named) }
        self = known
    }
}

extension RPCMessage {
    /// A text that the protocol keeps in `_meta`.
    func meta(_ name: String) -> String? {
        guard case .string(let text) = params["_meta"][Self.prefix + name].value else { return nil }
        return text
    }

    private static let prefix = "io.modelcontextprotocol/"

    /// Checks what a request of ``MCPRevision/stateless`` has to say in its headers and in `_meta`.
    ///
    /// A header must repeat the message, because programs on the way decide by the header.
    ///
    /// - Throws: ``RPCFault``.
    func checkHeaders(_ headers: HTTPFields) throws(RPCFault) {
        guard id != nil, let method else { return }
        guard let version = meta("protocolVersion"), params["_meta"][Self.prefix + "clientCapabilities"].isObject else {
            throw .invalidParams("_meta must name protocolVersion and clientCapabilities")
        }
        guard headers.value(of: "mcp-protocol-version") == version else {
            throw .headerMismatch("MCP-Protocol-Version")
        }
        guard headers.value(of: "mcp-method") == method else { throw .headerMismatch("Mcp-Method") }
        let subject: JSONField
        switch method {
        case "tools/call", "prompts/get": subject = params["name"]
        case "resources/read": subject = params["uri"]
        default: return
        }
        guard let given = headers.value(of: "mcp-name").flatMap(Self.decoded), subject.value == .string(given) else {
            throw .headerMismatch("Mcp-Name")
        }
    }

    /// Reads a header whose text may be encoded as `=?base64?…?=`; nil for bytes that are no text.
    private static func decoded(_ header: String) -> String? {
        let (start, end) = ("=?base64?", "?=")
        guard header.hasPrefix(start), header.hasSuffix(end), header.count >= start.count + end.count else {
            return header
        }
        return Data(base64Encoded: String(header.dropFirst(start.count).dropLast(end.count)))
            .flatMap { String(bytes: $0, encoding: .utf8) }
    }
}

extension JSONField {
    fileprivate var isObject: Bool {
        guard case .object = value else { return false }
        return true
    }
}

extension RPCFault {
    static func unsupportedVersion(_ named: String) -> RPCFault {
        RPCFault(
            code: -32_022, message: "this version of the protocol is not supported",
            data: .object([
                "supported": .array(MCPRevision.allCases.map { .string($0.rawValue) }), "requested": .string(named),
            ]))
    }

    static func headerMismatch(_ name: String) -> RPCFault {
        RPCFault(code: -32_020, message: "the header \(name) is missing, or differs from the message")
    }
}
