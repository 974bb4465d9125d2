import Foundation
import HTTPAPI
import ServerTestSupport
import Transport

/// A client of `GET /v1/feed` that reads event by event.
final class FeedReader {
    /// An event with its data as JSON.
    struct Event {
        let name: String
        let text: String
        var id: String?

        var fields: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
        }
    }

    let status: Int
    private var chunks: HTTPBody.AsyncIterator
    private var rest = ""

    init(
        _ server: RunningServer, _ query: String = "", headers: [(name: String, value: String)] = []
    ) async throws {
        let request = server.request("GET", "/v1/feed" + query, nil, headers: headers)
        let response = try await server.transport.stream(request)
        status = response.status
        chunks = response.body.makeAsyncIterator()
    }

    /// Opens a stream of a user.
    convenience init(_ server: RunningServer, of user: String) async throws {
        try await self.init(server, headers: [(name: "X-Nexus-User", value: user)])
    }

    /// Returns the next event; nil at the end.
    func next() async throws -> Event? {
        while true {
            if let end = rest.firstRange(of: "\n\n") {
                let lines = rest[..<end.lowerBound].split(separator: "\n")
                rest = String(rest[end.upperBound...])
                guard let name = lines.first(where: { $0.hasPrefix("event: ") }),
                    let data = lines.first(where: { $0.hasPrefix("data: ") })
                else { continue }
                let id = lines.first { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
                return Event(name: String(name.dropFirst(7)), text: String(data.dropFirst(6)), id: id)
            }
            guard let chunk = try await chunks.next(isolation: #isolation) else { return nil }
            rest += String(decoding: chunk, as: UTF8.self)
        }
    }

    /// Returns the next event with this name; nil if the stream ends before.
    func next(_ name: String) async throws -> Event? {
        while let event = try await next() {
            if event.name == name { return event }
        }
        return nil
    }

    /// Returns the id in the first event.
    func stream() async throws -> String { try await next("stream")?.fields["stream"] as? String ?? "" }
}
