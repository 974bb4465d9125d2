import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import UseCases
import WebServer

/// A request, with functions to read it.
struct IncomingRequest: Sendable {
    var request: Request
    /// The segments that the pattern names, percent-encoded.
    let parameters: Parameters
    /// The time of the request and of everything that it does.
    let receivedAt: Timestamp
    /// The actions that people can take, at that moment.
    let useCases: UseCases
    /// What a route opens a socket with; nil if the request asks for none.
    var socket: SocketOffer?
    /// The address or network that shares limits (``ClientAddress``); nil if it is not counted.
    var address: String?
    /// Whether it came over HTTP/2.
    var isStream = false
    /// The connection, or the stream, on which it came.
    let channel: any Channel
    /// How long the caller may stay connected.
    var validity: CallerValidity = .unlimited
    /// Fails if the caller would be another one now, or none; nil for a caller whom no header names.
    var identifyAgain: (@Sendable () async throws -> Void)?
    /// The ids of what it makes, if it can be repeated: a repeated request makes the same.
    var repeatableIDs: RepeatableIDs?
    /// The names that it may have; nil for a route that is not described.
    var contract: RequestContract?
    /// What of it had no effect.
    let ignored = IgnoredFields()

    /// Returns a segment of the path, decoded.
    func parameter(_ name: String) throws(Failure) -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding else { throw .noSuchPath }
        return text
    }

    /// Checks the project and region of a callable's address, which are not used otherwise.
    func checkPlace() throws {
        for name in ["project", "region"] where parameters.get(name) != nil {
            let _: UserID = try JSONField(.string(try parameter(name)), at: FieldPath(name)).identifier()
        }
    }

    /// Returns the conversation that the path names; an invalid id is like an unknown conversation.
    func conversationID() throws(Failure) -> ConversationID {
        guard let id = ConversationID(validating: try parameter("conversation")) else { throw .conversationForbidden }
        return id
    }

    /// Returns the message that the path names; an invalid id is like an unknown message.
    func messageKey() throws -> MessageKey {
        let conversation = try conversationID()
        let text = try parameter("message")
        return MessageKey(conversationID: conversation, messageID: MessageID(rawValue: text))
    }

    /// Returns the user that the path names.
    func userID() throws -> UserID {
        try JSONField(.string(try parameter("user")), at: FieldPath("userId")).identifier()
    }

    /// Returns the value of a query parameter, decoded.
    func query(_ name: String) -> String? {
        request.uri.queryParameters[name[...]].map(String.init)
    }

    /// Returns all values of a query parameter that may be repeated, decoded.
    func queries(_ name: String) -> [String] {
        request.uri.queryParameters[values: name[...]].map(String.init)
    }

    /// Returns `limit` of the query.
    func limit(in range: ClosedRange<Int>, default standard: Int) throws(FieldError) -> Int {
        try integer("limit", in: range, default: standard)
    }

    /// Returns a whole number of the query.
    func integer(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws(FieldError) -> Int {
        guard let text = query(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw FieldError(FieldPath(name), "must lie in \(range.lowerBound)...\(range.upperBound)")
        }
        return number
    }

    /// Returns the id in the query at which a page begins; nil for the first page.
    func cursor<Subject>(_ name: String) throws -> Identifier<Subject>? {
        try query(name).map { try JSONField(.string($0), at: FieldPath(name)).identifier() }
    }

    /// Returns a time of the query, in ISO 8601 or as milliseconds since 1970.
    func time(_ name: String) throws(FieldError) -> Timestamp? {
        guard let text = query(name) else { return nil }
        return try JSONField(Int64(text).map { .integer($0) } ?? .string(text), at: FieldPath(name)).optionalTimestamp()
    }

    /// Returns the body as JSON, with no other fields than those that its route describes.
    ///
    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - skipped: A field whose content is compared with the description later.
    /// - Returns: The value as a whole.
    /// - Throws: ``Failure`` for a wrong content type or too many bytes, ``JSONSyntaxError``, ``FieldError`` for a field
    ///   that is not known.
    func json(limit: Int, checkingLater skipped: String? = nil) async throws -> JSONField {
        guard hasJSONContent else { throw Failure.wrongContentType }
        let value = JSONField(try JSONParser.parse(Array(buffer: try await body(limit: limit))))
        try check(value, skipping: skipped)
        return value
    }

    /// Returns the body as JSON; an empty one is an empty object.
    func optionalJSON(limit: Int) async throws -> JSONField {
        let bytes = try await body(limit: limit)
        guard bytes.readableBytes > 0 else { return JSONField(.object([:])) }
        guard hasJSONContent else { throw Failure.wrongContentType }
        let value = try JSONField(try JSONParser.parse(Array(buffer: bytes))).object()
        try check(value)
        return value
    }

    /// Refuses a form, which many libraries send with a file in it; the whole of it would be stored as the file.
    func refuseForm() throws(Failure) {
        let type = request.headers[.contentType] ?? ""
        if type.lowercased().hasPrefix("multipart/") { throw .formForbidden }
    }

    /// Returns the body.
    func body(limit: Int) async throws -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw Failure.bodyTooLarge(limit: limit)
        }
        let body: ByteBuffer
        let start = ContinuousClock.now
        do {
            body = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Failure.bodyTooLarge(limit: limit)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Failure(400, "body_unreadable", "the body could not be read", .invalidArgument)
        }
        try await checkCaller(since: start)
        return body
    }

    /// Fails if the caller's rights ended while a body arrived slowly, as sessions, accounts and keys end.
    func checkCaller(since start: ContinuousClock.Instant) async throws {
        guard ContinuousClock.now - start > Self.patience else { return }
        try await identifyAgain?()
    }

    /// Who waits longer for a body asks for the rights of the caller again; what is written asks in any case.
    private static let patience = Duration.milliseconds(250)

    /// In whose name it writes.
    func authority(of caller: Caller) -> RequestAuthority {
        RequestAuthority(
            since: receivedAt, person: caller.person?.id, session: validity.session, key: validity.key)
    }

    /// Runs `operation` and cancels it when the client stops listening.
    ///
    /// - Parameter operation: The work.
    /// - Returns: The result of `operation`.
    /// - Throws: The error of `operation`; `CancellationError` if the client disconnected.
    @concurrent
    func whileClientListens<Value: Sendable>(_ operation: @concurrent () async throws -> Value) async throws -> Value {
        try await channel.whileClientListens(operation)
    }

    /// Whether the client requests events in the exact form of Firebase clients.
    var wantsEvents: Bool { request.headers[.accept] == "text/event-stream" }

    /// Whether events are among the types that the client accepts.
    var acceptsEvents: Bool {
        (request.headers[.accept] ?? "").split(separator: ",").contains { type in
            let name = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            return name.lowercased() == "text/event-stream"
        }
    }

    /// Whether the content type is JSON, which a page of another site cannot send without a preflight.
    var hasJSONContent: Bool {
        let type = request.headers[.contentType]?.split(separator: ";").first
        return type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    }
}

extension IncomingRequest {
    /// Returns the asker: the caller, or the user that the caller names by `userId` of the body or the header
    /// `X-Nexus-User`.
    ///
    /// - Parameters:
    ///   - caller: The caller of the request.
    ///   - body: The object that may hold `userId`; nil for requests without a body.
    /// - Returns: The asker.
    /// - Throws: ``Failure``, ``FieldError``.
    func asker(_ caller: Caller, body: JSONField? = nil) throws -> UserID {
        try asker(caller, naming: body?["userId"])
    }

    /// Returns the asker: the caller, or the user that the caller names by a field or the header `X-Nexus-User`.
    func asker(_ caller: Caller, naming field: JSONField?) throws -> UserID {
        writing(for: try caller.asker(named: try namedUser(field)))
    }

    /// Notes in whose name the request may write.
    private func writing(for user: UserID) -> UserID {
        RequestAuthority.current?.write(for: user)
        return user
    }

    /// Returns the writer of the request; see ``Caller/writer(named:sender:)``.
    func writer(_ caller: Caller, body: JSONField? = nil, sender: UserID? = nil) throws -> Writer {
        let writer = try caller.writer(named: try namedUser(body?["userId"]), sender: sender)
        if let user = writer.user { RequestAuthority.current?.write(for: user) }
        return writer
    }

    /// Whether an administrator asks without naming a user.
    func isOfAdministrator(_ caller: Caller) throws -> Bool {
        guard caller == .operator else { return !caller.isAdmitted(by: .user) }
        return try namedUser(nil) == nil
    }

    /// Returns the user that the request names.
    private func namedUser(_ field: JSONField?) throws -> UserID? {
        let inBody: UserID? = try field?.refusingNull().optionalIdentifier()
        let header = try request.headers.onlyValue(of: "x-nexus-user")
        let inHeader: UserID? = try header.flatMap { text in
            try JSONField(.string(text), at: FieldPath("X-Nexus-User")).identifier()
        }
        if let inBody, let inHeader, inBody != inHeader { throw Failure.userMismatch }
        return inBody ?? inHeader
    }
}

extension HTTPFields {
    /// Returns the value of a field that must occur only once, because a proxy might read another one.
    func onlyValue(of canonicalName: String) throws(Failure) -> String? {
        let fields = filter { $0.name.canonicalName == canonicalName }
        guard fields.count <= 1 else { throw .repeatedField }
        return fields.first?.value
    }

    /// Sets a field; an invalid name is ignored.
    mutating func set(_ name: String, to value: String) {
        guard let name = HTTPField.Name(name) else { return }
        self[name] = value
    }
}
