package import Foundation

/// A request as the stub server received it.
package struct StubRequest: Sendable {
    /// Its place among all requests of the server, from 1.
    package private(set) var number: Int
    /// The place of its connection among all connections of the server, from 1.
    package let connection: Int
    /// The method as sent.
    package let method: String
    /// Path and query as sent.
    package let target: String
    /// The fields as sent, in order.
    package let headers: [(name: String, value: String)]
    /// The whole body.
    package let body: Data

    /// Returns the value of the first field called `name`, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body as a JSON object; empty when it is none.
    package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }

    /// The texts of a request for embeddings.
    package var input: [String] { json["input"] as? [String] ?? [] }
}

extension StubRequest {
    /// Takes a head apart, from the request line to the empty line.
    init?(head: Data, number: Int, connection: Int, body: (_ length: Int) -> Data?) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (name: String(line[..<colon]), value: value)
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard let body = body(length) else { return nil }
        (self.number, self.connection, self.body) = (number, connection, body)
        (method, target) = (String(words[0]), String(words[1]))
    }

    /// Returns the request with its number.
    func numbered(_ number: Int) -> StubRequest {
        var request = self
        request.number = number
        return request
    }
}
