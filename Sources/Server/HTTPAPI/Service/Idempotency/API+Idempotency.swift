import ChatCore
import Crypto
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import WebServer

/// The messages that an answer is based on, and the asker who may see them.
struct AnswerBasis: Sendable {
    let asker: UserID
    let keys: Set<MessageKey>
    /// The conversation that was read as a whole; nil for none.
    var conversationID: ConversationID?
    /// The turn in its thread, which is based on earlier turns too; nil without a thread.
    var turn: Turn?
}

extension API {
    /// Carries out a request; one with an `Idempotency-Key` is carried out once, and a repeated one gets the same
    /// response.
    ///
    /// Only successful responses that are not streams are kept; after any other response the key is free. An answer is
    /// made again if a message that was read for it was changed or deleted, or if its asker may not see it any longer.
    /// The key is free, too, if nobody knows whether a request was carried out, because the connection to the database
    /// broke or the server died: see ``RepeatableIDs``.
    func handleOnce(_ incoming: IncomingRequest, _ caller: Caller, at route: Route) async throws -> Response {
        guard route.takesIdempotencyKey, let text = try incoming.request.headers.onlyValue(of: "idempotency-key") else {
            return incoming.ignored.stated(in: try await route.handle(incoming, caller).response)
        }
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure.invalid(field: "Idempotency-Key", "must have 1 to 255 visible ASCII characters")
        }
        var incoming = incoming
        let body = try await incoming.body(limit: settings.messagesByteLimit)
        incoming.request.body = RequestBody(buffer: body)
        let key = incoming.idempotencyKey(text, of: caller).digest
        let hash = incoming.hash(of: body)
        incoming.repeatableIDs = RepeatableIDs(key: key, bodyHash: hash)
        var step = try await services.keptResponses.begin(key, bodyHash: hash)
        if case .replay(let kept, let attempt) = step {
            if try await isCurrent(kept.basis, at: incoming.receivedAt) { return try Response(kept) }
            try await services.keptResponses.forget(attempt)
            step = try await services.keptResponses.begin(key, bodyHash: hash)
        }
        switch step {
        case .proceed(let attempt): return try await handle(incoming, caller, at: route, as: attempt)
        case .inWork, .replay: throw Failure.sameInWork
        case .reused: throw Failure.idempotencyKeyReused
        }
    }

    private func handle(
        _ incoming: IncomingRequest, _ caller: Caller, at route: Route, as attempt: RequestAttempt
    ) async throws -> Response {
        do {
            let since = try await services.store.latestChange()
            let result = try await route.handle(incoming, caller)
            let response = incoming.ignored.stated(in: result.response)
            let isKept = response.status.kind == .successful && response.body.contentLength != nil
            guard isKept else {
                await finish(attempt, with: nil)
                return response
            }
            let collector = BodyCollector()
            try await response.body.write(collector)
            let basis = try await keptBasis(of: result.basis, readSince: since)
            await finish(attempt, with: KeptResponse(response, body: collector.buffer, basis: basis))
            return response
        } catch {
            await finish(attempt, with: nil)
            throw error
        }
    }

    /// Frees or answers a key; the request has had its effect, so it does not fail if this does.
    private func finish(_ attempt: RequestAttempt, with response: KeptResponse?) async {
        do {
            try await services.keptResponses.finish(attempt, with: response)
        } catch {
            services.logger.warning("A response could not be kept", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func keptBasis(
        of content: AnswerBasis?, readSince cursor: ChangeCursor
    ) async throws -> KeptResponse.Basis? {
        guard let content else { return nil }
        var extent: ReadBasis.Extent?
        if let conversation = content.conversationID { extent = try await services.store.extent(of: conversation) }
        return KeptResponse.Basis(
            read: ReadBasis(asker: content.asker, keys: content.keys, extent: extent, since: cursor),
            turn: content.turn)
    }

    /// Whether the basis of a response is unchanged, and its asker may still see it.
    private func isCurrent(_ basis: KeptResponse.Basis?, at moment: Timestamp) async throws -> Bool {
        guard let basis else { return true }
        if let turn = basis.turn {
            guard try await services.store.readable([turn], at: moment).allSatisfy(\.isWhole) else { return false }
        }
        return try await services.store.isUnchanged(basis.read, at: moment)
    }
}

/// Ids that a repeated request makes again, so that what it stored before is not stored twice.
struct RepeatableIDs: Sendable {
    private let seed: [UInt8]

    init(key: [UInt8], bodyHash: [UInt8]) {
        seed = key + bodyHash
    }

    /// Returns the id of a thing that the request makes.
    ///
    /// - Parameter place: Its place among them.
    subscript(place: Int) -> String {
        let digest = SHA256.hash(data: seed + Array("\(place)".utf8))
        return digest.prefix(16).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension IncomingRequest {
    fileprivate func idempotencyKey(_ text: String, of caller: Caller) -> IdempotencyKey {
        IdempotencyKey(
            caller: caller.withoutName, named: request.headers.value(of: "x-nexus-user"),
            method: request.method.rawValue,
            target: request.uri.description, key: text)
    }

    /// Returns a hash of a body and of the requested form of the answer.
    fileprivate func hash(of body: ByteBuffer) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Array((request.headers[.accept] ?? "").utf8) + [0])
        body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}

extension KeptResponse {
    fileprivate init(_ response: Response, body: ByteBuffer, basis: Basis?) {
        self.init(
            status: response.status.code,
            fields: response.headers.map { Field(name: $0.name.rawName, value: $0.value) },
            body: Array(body.readableBytesView), basis: basis)
    }
}

extension Response {
    /// Makes the response to a request that was answered before.
    ///
    /// - Throws: ``Failure/unexpected`` if the kept head cannot be read.
    fileprivate init(_ kept: KeptResponse) throws {
        var headers = HTTPFields()
        for field in kept.fields {
            guard let name = HTTPField.Name(field.name) else { throw Failure.unexpected }
            headers.append(HTTPField(name: name, value: field.value))
        }
        self.init(
            status: HTTPResponse.Status(code: kept.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: kept.body)))
        self.headers.set("Idempotency-Replayed", to: "true")
    }
}
