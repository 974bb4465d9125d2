import ChatCore
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// A response that is kept for requests that are sent again.
struct KeptResponse: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: ByteBuffer
    /// What the asker must still be permitted to see.
    let basis: AnswerBasis.Content?
}

/// The messages that an answer stands on, told by the one that makes the answer to the one that keeps the response.
final class AnswerBasis: Sendable {
    /// The messages, and who was permitted to see them.
    struct Content: Sendable {
        let asker: UserID
        let keys: Set<MessageKey>
        /// The turn in its thread, which stands on the turns before it too; nil for a question of its own.
        var turn: Turn?
    }

    private let state = Mutex<Content?>(nil)

    /// What was told; nil for nothing.
    var content: Content? { state.withLock { $0 } }

    /// Tells what an answer stands on.
    func tell(_ content: Content) { state.withLock { $0 = content } }
}

extension API {
    /// Carries out a request; one with an `Idempotency-Key` is carried out once, and answered the same when it is sent
    /// again.
    ///
    /// Only successes that are no streams are kept: after anything else the key is free. An answer that stands on a
    /// message which its asker may not see any more is made anew.
    func handleOnce(_ incoming: IncomingRequest, _ caller: Caller, at route: Route) async throws -> Response {
        guard route.takesIdempotencyKey, let text = incoming.request.headers.value(of: "idempotency-key") else {
            return try await route.handle(incoming, caller)
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
            if try await isPermitted(kept.basis) { return Response(kept) }
            idempotency.forget(key)
            guard case .proceed = idempotency.begin(key, bodyHash: hash) else { throw Failure.sameInWork }
            return try await handle(incoming, caller, at: route, under: key)
        }
    }

    private func handle(
        _ incoming: IncomingRequest, _ caller: Caller, at route: Route, under key: IdempotencyKey
    ) async throws -> Response {
        do {
            let response = try await route.handle(incoming, caller)
            let isKept = response.status.kind == .successful && response.body.contentLength != nil
            guard isKept else {
                idempotency.finish(key, with: nil)
                return response
            }
            let collector = BodyCollector()
            try await response.body.write(collector)
            let kept = KeptResponse(
                status: response.status, headers: response.headers, body: collector.buffer,
                basis: incoming.basis.content)
            idempotency.finish(key, with: kept, byteCount: kept.body.readableBytes)
            return response
        } catch {
            idempotency.finish(key, with: nil)
            throw error
        }
    }

    /// Whether the asker may still see everything that an answer stands on.
    private func isPermitted(_ basis: AnswerBasis.Content?) async throws -> Bool {
        guard let basis else { return true }
        if let turn = basis.turn {
            guard try await services.store.readable([turn], at: services.now()).allSatisfy(\.isWhole) else {
                return false
            }
        }
        guard !basis.keys.isEmpty else { return true }
        let scope = SearchScope(asker: basis.asker, conversations: .all)
        return try await services.store.messages(Array(basis.keys), in: scope, at: services.now()).count
            == basis.keys.count
    }
}

extension IncomingRequest {
    fileprivate func idempotencyKey(_ text: String, of caller: Caller) -> IdempotencyKey {
        IdempotencyKey(
            caller: caller.withoutName, named: request.headers.value(of: "x-nexus-user"),
            method: request.method.rawValue,
            target: request.uri.description, key: text)
    }

    /// Returns a hash of a body and of the form in which the answer is wanted.
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

/// Takes in a body that is kept.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { self.buffer.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
