import ChatCore
import Foundation
import Histories
import Transport

/// Calls the JSON API of a server with a token.
struct ConnectorClient: Sendable {
    private static let byteLimit = 64 << 20
    private static let deadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(60), total: .seconds(120))
    private static let fileDeadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(60), total: .seconds(900))

    /// The address before all paths, without a slash at its end.
    let root: String
    let token: SecretText
    /// The field of a refusal that holds its code.
    let codeField: String
    let transport: any HTTPTransport
    let status: ConnectorStatus
    let now: @Sendable () -> Timestamp
    let sleep: @Sendable (Duration) async throws -> Void

    /// Calls a path, and calls it again after the time that a limit of the server asks for.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - segments: The path after the root, not yet encoded.
    ///   - query: The query, not yet encoded.
    ///   - body: The body; nil for none.
    ///   - patience: The longest time that a limit may ask for.
    /// - Returns: The reply.
    /// - Throws: ``ConnectorError``, `CancellationError`.
    @discardableResult
    func call(
        _ method: String, _ segments: [String], query: [(String, String)] = [], body: JSONValue? = nil,
        patience: Duration = .seconds(20)
    ) async throws -> JSONFields {
        let value = try await value(method, segments, query: query, body: body, patience: patience)
        guard let fields = JSONFields(object: value) else { throw ConnectorError.unreadable }
        return fields
    }

    /// Reads a list of objects; see ``call(_:_:query:body:patience:)``.
    func list(
        _ method: String, _ segments: [String], query: [(String, String)] = [], body: JSONValue? = nil
    ) async throws -> [JSONFields] {
        let value = try await value(method, segments, query: query, body: body, patience: .seconds(20))
        guard case .array(let values) = value else { throw ConnectorError.unreadable }
        return values.compactMap { JSONFields(object: $0) }
    }

    private func value(
        _ method: String, _ segments: [String], query: [(String, String)], body: JSONValue?, patience: Duration
    ) async throws -> JSONValue {
        while true {
            let response = try await exchange(method, address(segments, query), body)
            let value = try? JSONParser.parse(Array(response.body))
            let fields = JSONFields(object: value)
            switch response.status {
            case 200..<300:
                guard let value else { throw refusal(in: response.body) ?? .unreadable }
                status.succeeded()
                return value
            case 429:
                let pause = Self.pause(fields, response)
                let end = now() + pause
                guard pause <= patience else { throw ConnectorError.limited(until: end) }
                status.wait(until: end)
                try await sleep(pause)
            case 400..<500:
                let error = ConnectorError.refused(
                    status: response.status, code: fields?.text(codeField) ?? "unknown")
                if error.isAboutToken { status.failed(.token) } else { status.succeeded() }
                throw error
            default:
                status.failed(.unreachable)
                throw ConnectorError.unavailable
            }
        }
    }

    /// Begins to read a file.
    ///
    /// - Parameters:
    ///   - segments: The path after the root, not yet encoded.
    ///   - query: The query, not yet encoded.
    ///   - limit: The most bytes.
    /// - Returns: The bytes.
    /// - Throws: ``ConnectorError``, ``FileError/tooLarge(limit:)``, `CancellationError`.
    func file(_ segments: [String], query: [(String, String)] = [], limit: Int) async throws -> RemoteBytes {
        let request = HTTPExchangeRequest(
            url: address(segments, query), headers: ["Authorization": "Bearer \(token.reveal())"],
            deadlines: Self.fileDeadlines, responseByteLimit: max(1, limit))
        do {
            let response = try await transport.stream(request)
            if response.status == 200 {
                status.succeeded()
                return RemoteBytes(body: response.body, limit: limit)
            }
            let body = try await response.body.collect()
            throw failure(HTTPExchangeResponse(status: response.status, headers: response.headers, body: body))
        } catch TransportError.responseTooLarge {
            throw FileError.tooLarge(limit: limit)
        } catch TransportError.cancelled {
            throw CancellationError()
        } catch is TransportError {
            status.failed(.unreachable)
            throw ConnectorError.unavailable
        }
    }

    /// What a reply that is not the file says.
    ///
    /// A redirection is not followed: it could lead anywhere, and would carry the token along.
    private func failure(_ response: HTTPExchangeResponse) -> ConnectorError {
        let fields = JSONFields(object: try? JSONParser.parse(Array(response.body)))
        switch response.status {
        case 429:
            let end = now() + Self.pause(fields, response)
            status.wait(until: end)
            return .limited(until: end)
        case 300..<500:
            let error = ConnectorError.refused(status: response.status, code: fields?.text(codeField) ?? "unknown")
            if error.isAboutToken { status.failed(.token) }
            return error
        default: return .unavailable
        }
    }

    /// The refusal in a list that ends where it begins: Mattermost sends `[` before it looks for the elements.
    private func refusal(in body: Data) -> ConnectorError? {
        guard body.first == UInt8(ascii: "["),
            let fields = JSONFields(object: try? JSONParser.parse(Array(body.dropFirst()))),
            let code = fields.text(codeField), let status = fields.integer("status_code"),
            (400..<500).contains(status)
        else { return nil }
        return .refused(status: Int(status), code: code)
    }

    private func exchange(_ method: String, _ url: String, _ body: JSONValue?) async throws -> HTTPExchangeResponse {
        var headers: HTTPHeaders = ["Authorization": "Bearer \(token.reveal())"]
        let data = try body.map { try JSONEncoder().encode($0) }
        if data != nil { headers["Content-Type"] = "application/json" }
        do {
            return try await transport.send(
                HTTPExchangeRequest(
                    method: method, url: url, headers: headers, body: data, deadlines: Self.deadlines,
                    responseByteLimit: Self.byteLimit))
        } catch TransportError.cancelled {
            throw CancellationError()
        } catch {
            status.failed(.unreachable)
            throw ConnectorError.unavailable
        }
    }

    private func address(_ segments: [String], _ query: [(String, String)]) -> String {
        let path = segments.map { MessageLink.encoded($0) }.joined(separator: "/")
        let parameters = query.map { "\($0)=\(MessageLink.encoded($1))" }.joined(separator: "&")
        return "\(root)/\(path)" + (parameters.isEmpty ? "" : "?\(parameters)")
    }

    /// The time that a limit asks for, at most a week: in the body, else in whole seconds in a header.
    private static func pause(_ fields: JSONFields?, _ response: HTTPExchangeResponse) -> Duration {
        let week = Int64(7 * 86_400)
        if let milliseconds = fields?.integer("retry_after_ms") {
            return .milliseconds(min(max(1, milliseconds), week * 1_000))
        }
        let seconds = ["Retry-After", "X-Ratelimit-Reset"].lazy.compactMap { response.headers[$0] }
            .compactMap { Int64($0) }.first
        return .seconds(min(max(1, seconds ?? 1), week))
    }
}
