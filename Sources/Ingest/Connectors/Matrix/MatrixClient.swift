import ChatCore
import Foundation
import Histories
import Transport

/// A reason why a homeserver did not do what it was asked for.
enum MatrixError: Error, Equatable, Sendable {
    /// It refused; with its code, such as `M_FORBIDDEN`.
    case refused(status: Int, code: String)
    /// It cannot be reached, or failed.
    case unavailable
    /// It asks to wait for longer than the caller can.
    case limited(until: Timestamp)
    /// Its reply is no JSON object.
    case unreadable

    /// Whether the room cannot be read because Nexus is not in it, or it does not exist.
    var isAboutMembership: Bool {
        guard case .refused(let status, let code) = self else { return false }
        return status == 404 || status == 403 && code != "M_UNKNOWN_TOKEN"
    }

    /// Whether the homeserver does not know the token.
    var isAboutToken: Bool {
        guard case .refused(let status, _) = self else { return false }
        return status == 401
    }
}

/// Calls the client API of a homeserver as the user of the application service.
struct MatrixClient: Sendable {
    private static let byteLimit = 64 << 20
    private static let deadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(60), total: .seconds(120))

    let settings: MatrixSettings
    let transport: any HTTPTransport
    let status: MatrixStatus
    let now: @Sendable () -> Timestamp
    let sleep: @Sendable (Duration) async throws -> Void

    /// Calls a path of the client API, and calls it again after the time that a limit of the homeserver asks for.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - segments: The path after `/_matrix/client`, not yet encoded.
    ///   - query: The query, not yet encoded.
    ///   - body: The body; nil for none.
    ///   - patience: The longest time that a limit may ask for.
    /// - Returns: The reply.
    /// - Throws: ``MatrixError``, `CancellationError`.
    @discardableResult
    func call(
        _ method: String = "GET", _ segments: [String], query: [(String, String)] = [], body: JSONValue? = nil,
        patience: Duration = .seconds(20)
    ) async throws -> JSONFields {
        let value = try await value(method, segments, query: query, body: body, patience: patience)
        guard let fields = JSONFields(object: value) else { throw MatrixError.unreadable }
        return fields
    }

    /// Reads a list of objects; see ``call(_:_:query:body:patience:)``.
    func list(_ segments: [String]) async throws -> [JSONFields] {
        let value = try await value("GET", segments, query: [], body: nil, patience: .seconds(20))
        guard case .array(let values) = value else { throw MatrixError.unreadable }
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
                guard let value else { throw MatrixError.unreadable }
                status.succeeded()
                return value
            case 429:
                let pause = Self.pause(fields, response)
                let end = now() + pause
                guard pause <= patience else { throw MatrixError.limited(until: end) }
                status.wait(until: end)
                try await sleep(pause)
            case 400..<500:
                let error = MatrixError.refused(
                    status: response.status, code: fields?.text("errcode") ?? "M_UNRECOGNIZED")
                if error.isAboutToken { status.failed(.token) } else { status.succeeded() }
                throw error
            default:
                status.failed(.unreachable)
                throw MatrixError.unavailable
            }
        }
    }

    private func exchange(_ method: String, _ url: String, _ body: JSONValue?) async throws -> HTTPExchangeResponse {
        var headers: HTTPHeaders = ["Authorization": "Bearer \(settings.serviceToken.reveal())"]
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
            throw MatrixError.unavailable
        }
    }

    private func address(_ segments: [String], _ query: [(String, String)]) -> String {
        let path = segments.map { MessageLink.encoded($0) }.joined(separator: "/")
        let parameters = query.map { "\($0)=\(MessageLink.encoded($1))" }.joined(separator: "&")
        return "\(settings.homeserver)/_matrix/client/\(path)" + (parameters.isEmpty ? "" : "?\(parameters)")
    }

    /// The time that a limit asks for: in the body, else in whole seconds in a header.
    private static func pause(_ fields: JSONFields?, _ response: HTTPExchangeResponse) -> Duration {
        if let milliseconds = fields?.integer("retry_after_ms") { return .milliseconds(max(1, milliseconds)) }
        return .seconds(max(1, response.headers["Retry-After"].flatMap { Int64($0) } ?? 1))
    }
}
