import ChatCore
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore

/// A response that is kept for repeated requests.
struct KeptResponse: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: ByteBuffer
    /// The messages that must be unchanged for the response to be valid; nil for none.
    let basis: Basis?

    /// The basis of a response.
    struct Basis: Sendable {
        let read: ReadBasis
        let turn: Turn?

        /// The approximate size in bytes.
        var byteCount: Int {
            read.keys.reduce(64) { $0 + $1.conversationID.rawValue.utf8.count + $1.messageID.rawValue.utf8.count + 48 }
        }
    }
}

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
    func handleOnce(_ incoming: IncomingRequest, _ caller: Caller, at route: Route) async throws -> Response {
        guard route.takesIdempotencyKey, let text = try incoming.request.headers.onlyValue(of: "idempotency-key") else {
            return try await route.handle(incoming, caller).response
        }
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure.invalid(field: "Idempotency-Key", "must have 1 to 255 visible ASCII characters")
        }
        var incoming = incoming
        let body = try await incoming.body(limit: settings.messagesByteLimit)
        incoming.request.body = RequestBody(buffer: body)
        let key = incoming.idempotencyKey(text, of: caller)
        let hash = incoming.hash(of: body)
        switch idempotency.begin(key, bodyHash: hash) {
        case .inWork: throw Failure.sameInWork
        case .reused: throw Failure.idempotencyKeyReused
        case .proceed: return try await handle(incoming, caller, at: route, under: key)
        case .replay(let kept):
            if try await isCurrent(kept.basis, at: incoming.receivedAt) { return Response(kept) }
            idempotency.forget(key)
            guard case .proceed = idempotency.begin(key, bodyHash: hash) else { throw Failure.sameInWork }
            return try await handle(incoming, caller, at: route, under: key)
        }
    }

    private func handle(
        _ incoming: IncomingRequest, _ caller: Caller, at route: Route, under key: IdempotencyKey
    ) async throws -> Response {
        do {
            let since = try await services.store.latestChange()
            let result = try await route.handle(incoming, caller)
            let response = result.response
            let isKept = response.status.kind == .successful && response.body.contentLength != nil
            guard isKept else {
                idempotency.finish(key, with: nil)
                return response
            }
            let collector = BodyCollector()
            try await response.body.write(collector)
            let basis = try await keptBasis(of: result.basis, readSince: since)
            let kept = KeptResponse(
                status: response.status, headers: response.headers, body: collector.buffer, basis: basis)
            let byteCount = kept.body.readableBytes + (basis?.byteCount ?? 0)
            idempotency.finish(key, with: kept, byteCount: byteCount)
            return response
        } catch {
            idempotency.finish(key, with: nil)
            throw error
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

extension Response {
    /// Makes the response to a request that was answered before.
    fileprivate init(_ kept: KeptResponse) {
        self.init(status: kept.status, headers: kept.headers, body: ResponseBody(byteBuffer: kept.body))
        headers.set("Idempotency-Replayed", to: "true")
    }
}

/// Collects a body to keep.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { self.buffer.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
