import Foundation
import HTTPAPI
import Testing
import Transport

/// The server's description of itself, with which every reply that a test gets is compared.
struct APIDescription: Sendable {
    /// One operation.
    struct Operation: Hashable {
        let method: String
        /// The path with `{name}` for a parameter.
        let path: String
    }

    let data: Data

    /// The whole document.
    var document: [String: Any] {
        get throws { try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]) }
    }

    /// What is described.
    var operations: Set<Operation> {
        get throws {
            let paths = try #require(try document["paths"] as? [String: [String: Any]])
            return Set(
                paths.flatMap { path, methods in
                    methods.keys.map { Operation(method: $0.uppercased(), path: path) }
                })
        }
    }

    /// Method and path of the operations that read a body.
    var operationsWithBody: [(method: String, path: String)] {
        get throws {
            let paths = try #require(try document["paths"] as? [String: [String: [String: Any]]])
            return paths.flatMap { path, methods in
                methods.filter { $0.value["requestBody"] != nil }.map { (method: $0.key.uppercased(), path: path) }
            }
        }
    }

    /// Returns in what a reply differs from what is said of it; a path or method that is not described has no faults.
    func faults(_ method: String, _ path: String, _ reply: Reply) throws -> [String] {
        guard let operation = try operation(method, path) else { return [] }
        let responses = try #require(operation["responses"] as? [String: [String: Any]])
        guard let response = responses[String(reply.status)] else { return ["the status is not described"] }
        let content = response["content"] as? [String: [String: Any]] ?? [:]
        guard !content.isEmpty else { return reply.text.isEmpty ? [] : ["a body is not described"] }
        let type = (reply.headers["Content-Type"] ?? "").prefix { $0 != ";" }
        guard let media = content[String(type)] else { return ["the type \(type) is not described"] }
        guard type.hasSuffix("json"), !type.hasSuffix("ndjson") else { return [] }
        let body = try JSONSerialization.jsonObject(with: Data(reply.text.utf8), options: .fragmentsAllowed)
        let components = try #require(try document["components"] as? [String: [String: Any]])
        return SchemaChecker(components: components["schemas"] ?? [:]).faults(body, media["schema"])
    }

    private func operation(_ method: String, _ path: String) throws -> [String: Any]? {
        let paths = try #require(try document["paths"] as? [String: [String: Any]])
        let segments = Self.segments(path.prefix { $0 != "?" })
        let fitting = paths.filter { Self.fits(segments, Self.segments($0.key[...])) }
        // A path without parameters goes before one with.
        let best = fitting.min { $0.key.count { $0 == "{" } < $1.key.count { $0 == "{" } }
        return best?.value[method.lowercased()] as? [String: Any]
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func fits(_ path: [Substring], _ pattern: [Substring]) -> Bool {
        path.count == pattern.count
            && zip(path, pattern).allSatisfy { $0 == $1 || ($1.hasPrefix("{") && !$0.isEmpty) }
    }
}
