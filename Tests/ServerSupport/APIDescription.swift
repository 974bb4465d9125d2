package import Foundation
import HTTPAPI
import Testing
import Transport

/// The server's description of itself, with which every reply that a test gets is compared.
package struct APIDescription: Sendable {
    /// One operation.
    package struct Operation: Hashable {
        package let method: String
        /// The path with `{name}` for a parameter.
        package let path: String

        package init(method: String, path: String) {
            self.method = method
            self.path = path
        }
    }

    private struct Path {
        let text: String
        let segments: [Substring]
        let methods: [String: [String: Any]]
    }

    package let data: Data
    /// The whole document, read once: each of thousands of replies is compared with it.
    package nonisolated(unsafe) let document: [String: Any]
    nonisolated(unsafe) private let paths: [Path]
    /// Compares values with its schemas.
    package let checker: SchemaChecker

    package init(data: Data) throws {
        self.data = data
        document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let described = try #require(document["paths"] as? [String: [String: [String: Any]]])
        paths = described.map { Path(text: $0.key, segments: Self.segments($0.key[...]), methods: $0.value) }
        let components = try #require(document["components"] as? [String: [String: Any]])
        checker = SchemaChecker(components: components["schemas"] ?? [:])
    }

    /// What is described.
    package var operations: Set<Operation> {
        Set(paths.flatMap { path in path.methods.keys.map { Operation(method: $0.uppercased(), path: path.text) } })
    }

    /// Method and path of the operations that read a body.
    package var operationsWithBody: [(method: String, path: String)] {
        paths.flatMap { path in
            path.methods.filter { $0.value["requestBody"] != nil }
                .map { (method: $0.key.uppercased(), path: path.text) }
        }
    }

    /// Returns in what a reply differs from what is said of it; a path or method that is not described has no faults.
    package func faults(_ method: String, _ path: String, _ reply: Reply) throws -> [String] {
        guard let operation = operation(method, path) else { return [] }
        let responses = try #require(operation["responses"] as? [String: [String: Any]])
        guard let response = responses[String(reply.status)] else { return ["the status is not described"] }
        let content = response["content"] as? [String: [String: Any]] ?? [:]
        guard !content.isEmpty else { return reply.text.isEmpty ? [] : ["a body is not described"] }
        let type = (reply.headers["Content-Type"] ?? "").prefix { $0 != ";" }
        guard let media = content[String(type)] else { return ["the type \(type) is not described"] }
        guard type.hasSuffix("json"), !type.hasSuffix("ndjson") else { return [] }
        let body = try JSONSerialization.jsonObject(with: Data(reply.text.utf8), options: .fragmentsAllowed)
        return checker.faults(body, media["schema"])
    }

    private func operation(_ method: String, _ path: String) -> [String: Any]? {
        let segments = Self.segments(path.prefix { $0 != "?" })
        let fitting = paths.filter { Self.fits(segments, $0.segments) }
        // A path without parameters goes before one with.
        let best = fitting.min { $0.text.count { $0 == "{" } < $1.text.count { $0 == "{" } }
        return best?.methods[method.lowercased()]
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func fits(_ path: [Substring], _ pattern: [Substring]) -> Bool {
        path.count == pattern.count
            && zip(path, pattern).allSatisfy { $0 == $1 || ($1.hasPrefix("{") && !$0.isEmpty) }
    }
}
