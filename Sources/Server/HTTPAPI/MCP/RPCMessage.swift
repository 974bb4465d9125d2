import ChatCore

/// A message of a client in JSON-RPC 2.0 (https://www.jsonrpc.org/specification).
struct RPCMessage {
    /// The id that the answer repeats; nil for a message that needs no answer.
    let id: JSONValue?
    /// The method; nil for a response of the client, which is ignored.
    let method: String?
    /// An object, or missing.
    let params: JSONField

    /// Reads a message.
    ///
    /// - Parameter value: The message.
    /// - Throws: ``RPCFault/invalidRequest(_:)``.
    init(_ value: JSONValue?) throws(RPCFault) {
        guard case .object(let fields) = value else { throw .invalidRequest("the message must be an object") }
        guard fields["jsonrpc"] == .string("2.0") else { throw .invalidRequest("jsonrpc must be \"2.0\"") }
        switch fields["id"] {
        case nil, .string, .integer: id = fields["id"]
        default: throw .invalidRequest("id must be a string or a whole number")
        }
        switch fields["params"] {
        case nil, .object: params = JSONField(fields["params"] ?? .object([:]))
        default: throw .invalidRequest("params must be an object")
        }
        switch fields["method"] {
        case .string(let name): method = name
        case nil where fields["result"] != nil || fields["error"] != nil: method = nil
        default: throw .invalidRequest("method must be a string")
        }
    }
}

/// An error of JSON-RPC.
struct RPCFault: Error, Equatable {
    let code: Int64
    let message: String
    var data: JSONValue?

    static func parseError(_ reason: String) -> RPCFault { RPCFault(code: -32_700, message: reason) }
    static func invalidRequest(_ reason: String) -> RPCFault { RPCFault(code: -32_600, message: reason) }
    static let noSuchMethod = RPCFault(code: -32_601, message: "there is no such method")
    static func invalidParams(_ reason: String) -> RPCFault { RPCFault(code: -32_602, message: reason) }

    /// Returns the answer with this error.
    func reply(id: JSONValue?) -> JSONValue {
        var error: [String: JSONValue] = ["code": .integer(code), "message": .string(message)]
        error["data"] = data
        return .object(["jsonrpc": .string("2.0"), "id": id ?? .null, "error": .object(error)])
    }
}
