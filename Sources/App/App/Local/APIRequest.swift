import ChatCore
import Foundation
import NexusModel
import UseCases

/// A request to the HTTP API that a command makes for a user.
struct APIRequest {
    var method: String
    /// The path with its query, percent-encoded.
    var path: String
    /// The user; nil for the operator.
    var user: UserID?
    var body: JSONValue?
    /// Whether the answer is streamed.
    var streams = false

    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The segments of the path; encoded here.
    ///   - user: The user; nil for the operator.
    ///   - query: Parameters; those without a value are left out.
    ///   - body: The fields of the body; nil for none.
    init(
        _ method: String, _ path: [String], user: UserID?, query: [(name: String, value: String?)] = [],
        body: [String: JSONValue?]? = nil
    ) {
        self.method = method
        self.user = user
        self.body = body.map { .object($0.compactMapValues { $0 }) }
        let parameters = query.compactMap { name, value in value.map { "\(name)=\(MessageLink.encoded($0))" } }
        self.path =
            "/v1/" + path.map(MessageLink.encoded).joined(separator: "/")
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }
}

extension APIRequest {
    /// A request that reads.
    init(_ path: [String], user: UserID?, query: [(name: String, value: String?)] = []) {
        self.init("GET", path, user: user, query: query)
    }
}

/// A response of the HTTP API.
struct APIResponse {
    let status: Int
    let body: Data

    /// Returns the body as a value.
    ///
    /// - Throws: `OperatorFailure` for an error response; `DecodingError`.
    func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: try content())
    }

    /// Returns the body.
    ///
    /// - Throws: `OperatorFailure` for an error response.
    func content() throws -> Data {
        guard (200..<300).contains(status) else { throw OperatorFailure(message: Self.detail(of: body)) }
        return body
    }

    /// The line for the operator in the body of an error.
    static func detail(of body: Data) -> String {
        (try? JSONDecoder().decode(ChatProblem.self, from: body).detail) ?? Failures.unexpectedReply.message
    }
}

/// A page of a list: its elements, and the start of the next page.
struct APIPage<Element: Decodable>: Decodable {
    let elements: [Element]
    let next: String?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let names = ["threads", "turns", "items", "messages", "results", "entries"]
        let name = fields.allKeys.first { names.contains($0.stringValue) } ?? Key(stringValue: names[0])
        elements = try fields.decode([Element].self, forKey: name)
        next = try fields.decodeIfPresent(String.self, forKey: Key(stringValue: "next"))
    }
}
