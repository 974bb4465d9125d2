/// Remembers the responses to requests with an `Idempotency-Key`, so that a repeated request is carried out once.
///
/// A key is a digest, in which the caller is included. Time, number and bytes of responses are limited; the oldest are
/// dropped first.
public protocol KeptResponses: Sendable {
    /// Returns the next step for a request; after ``RequestStep/proceed(_:)`` the key is taken until it is finished.
    ///
    /// - Parameters:
    ///   - key: The digest of the key and its caller.
    ///   - bodyHash: The digest of what else must be the same.
    /// - Returns: The step.
    /// - Throws: ``RepositoryError``.
    func begin(_ key: [UInt8], bodyHash: [UInt8]) async throws -> RequestStep

    /// Keeps the response to a request; without one the key becomes free again.
    ///
    /// Does nothing if the key does not belong to the attempt any more. Works in a cancelled task, too.
    ///
    /// - Throws: ``RepositoryError``; the key is free at the latest after a quarter of an hour then.
    func finish(_ attempt: RequestAttempt, with response: KeptResponse?) async throws

    /// Forgets the response of an attempt because it is not valid any longer.
    ///
    /// - Throws: ``RepositoryError``.
    func forget(_ attempt: RequestAttempt) async throws
}

/// One time that a request is carried out.
public struct RequestAttempt: Hashable, Sendable {
    /// The digest of its key.
    public let key: [UInt8]
    /// Distinguishes it from other attempts under the same key.
    public let number: Int64

    public init(key: [UInt8], number: Int64) {
        self.key = key
        self.number = number
    }
}

/// The next step for a request with an `Idempotency-Key`.
public enum RequestStep: Hashable, Sendable {
    /// It is new: carry it out, then call ``KeptResponses/finish(_:with:)``.
    case proceed(RequestAttempt)
    /// It was answered before.
    case replay(KeptResponse, RequestAttempt)
    /// The same request is being carried out.
    case inWork
    /// The key came with another body.
    case reused
}

/// A response that is kept for repeated requests.
public struct KeptResponse: Hashable, Sendable {
    /// A field of the response's head.
    public struct Field: Hashable, Sendable, Codable {
        /// The name, as it was sent.
        public let name: String
        /// The value.
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The messages that must be unchanged for the response to be valid.
    public struct Basis: Hashable, Sendable {
        /// What was read for it.
        public let read: ReadBasis
        /// The turn, without its texts, if it is in a thread: it is based on earlier turns too.
        public let turn: Turn?

        public init(read: ReadBasis, turn: Turn?) {
            self.read = read
            self.turn = turn.map {
                Turn(
                    id: $0.id, askerID: $0.askerID, question: "", answer: "", sourceKeys: $0.sourceKeys,
                    askedAt: $0.askedAt)
            }
        }

        /// The approximate size in bytes.
        fileprivate var byteCount: Int {
            (Array(read.keys) + (turn?.sourceKeys ?? [])).reduce(64) {
                $0 + $1.conversationID.rawValue.utf8.count + $1.messageID.rawValue.utf8.count + 48
            }
        }
    }

    /// The HTTP status.
    public let status: Int
    /// The head without the status.
    public let fields: [Field]
    /// The content.
    public let body: [UInt8]
    /// Nil if it depends on no message.
    public let basis: Basis?

    public init(status: Int, fields: [Field], body: [UInt8], basis: Basis?) {
        self.status = status
        self.fields = fields
        self.body = body
        self.basis = basis
    }

    /// The approximate size of body and basis in bytes.
    public var byteCount: Int { body.count + (basis?.byteCount ?? 0) }
}

/// The limits of ``KeptResponses``.
public struct KeptResponseLimits: Hashable, Sendable {
    /// The time that a response is kept.
    public var lifetime: Duration
    /// The most responses.
    public var count: Int
    /// The most bytes of responses.
    public var byteCount: Int

    public init(lifetime: Duration = .seconds(600), count: Int = 10_000, byteCount: Int = 32 << 20) {
        self.lifetime = lifetime
        self.count = count
        self.byteCount = byteCount
    }
}
