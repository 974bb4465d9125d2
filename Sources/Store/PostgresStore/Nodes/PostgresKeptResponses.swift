package import ChatCore
import Foundation
import MessageStore
import Synchronization

/// Kept responses that all nodes share.
///
/// The database holds digests of the keys, and the responses until they expire. An erasure removes all of them in its
/// own transaction. It also increments a count, so that a request that began before keeps no response with erased text:
/// see ``erase(in:)``.
package final class PostgresKeptResponses: KeptResponses {
    static let table = """
        -- ends_at: NULL while the request is in work. erasures: the count when it began.
        CREATE TABLE kept_responses (
            digest BYTEA PRIMARY KEY,
            body_hash BYTEA NOT NULL,
            node TEXT COLLATE "C" NOT NULL,
            attempt BIGINT NOT NULL,
            begun_at BIGINT NOT NULL,
            erasures BIGINT NOT NULL,
            ends_at BIGINT,
            byte_count BIGINT,
            status BIGINT,
            fields TEXT COLLATE "C",
            body BYTEA,
            basis TEXT COLLATE "C"
        );
        CREATE INDEX kept_responses_by_end ON kept_responses (ends_at, digest) WHERE ends_at IS NOT NULL;
        CREATE INDEX kept_responses_in_work ON kept_responses (begun_at) WHERE ends_at IS NULL;

        CREATE TABLE erasure_count (
            place BIGINT PRIMARY KEY CHECK (place = 1),
            number BIGINT NOT NULL
        );
        INSERT INTO erasure_count (place, number) VALUES (1, 0);

        """

    /// Microseconds of the database's clock, because those of the nodes may differ.
    private static let now = "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint"
    /// The longest time that a request is in work, in microseconds; answers take at most ten minutes.
    private static let longestWork = 900_000_000
    /// A new node stores its first heartbeat within this time, in microseconds.
    private static let beginning = 15_000_000
    /// How often a key is tried while others free and take it.
    private static let tryCount = 4

    private static let isOld = "k.ends_at <= \(now)"
    /// Whether nobody works on a request any more: its node has died.
    private static let isLost = """
        k.ends_at IS NULL AND k.begun_at < \(now) - \(beginning) AND (k.begun_at < \(now) - \(longestWork)
            OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = k.node AND n.heartbeat_until >= \(now)))
        """
    private static let isOver = "(\(isOld) OR \(isLost))"

    /// Takes a key that is free; values: digest, hash of the body, node, attempt.
    private static let take = """
        INSERT INTO kept_responses AS k (digest, body_hash, node, attempt, begun_at, erasures)
        VALUES ($1, $2, $3, $4, \(now), (SELECT number FROM erasure_count WHERE place = 1))
        ON CONFLICT (digest) DO UPDATE SET body_hash = excluded.body_hash, node = excluded.node,
            attempt = excluded.attempt, begun_at = excluded.begun_at, erasures = excluded.erasures, ends_at = NULL,
            byte_count = NULL, status = NULL, fields = NULL, body = NULL, basis = NULL
        WHERE \(isOver) RETURNING 1
        """

    /// Value: digest.
    private static let find = """
        SELECT body_hash, attempt, status, fields, body, basis FROM kept_responses k WHERE digest = $1 AND (\(isOver)) IS NOT TRUE
        """

    /// Keeps a response unless something was erased since the request began, or is being erased; values: digest, attempt,
    /// lifetime in microseconds, bytes, status, fields, body, basis.
    private static let keep = """
        UPDATE kept_responses SET ends_at = \(now) + $3, byte_count = $4, status = $5, fields = $6, body = $7, basis = $8
        WHERE digest = $1 AND attempt = $2 AND ends_at IS NULL
            AND erasures = (SELECT number FROM erasure_count WHERE place = 1 FOR SHARE SKIP LOCKED)
        """

    /// Values: digest, attempt.
    private static let free = "DELETE FROM kept_responses WHERE digest = $1 AND attempt = $2 AND ends_at IS NULL"

    /// Values: digest, attempt.
    private static let forget = "DELETE FROM kept_responses WHERE digest = $1 AND attempt = $2 AND ends_at IS NOT NULL"

    /// Removes the oldest responses beyond the limits; values: count, bytes.
    private static let trim = """
        DELETE FROM kept_responses WHERE digest IN (
            SELECT digest FROM kept_responses WHERE digest IN (
                SELECT digest FROM (
                    SELECT digest, row_number() OVER newest AS place, sum(byte_count) OVER newest AS bytes
                    FROM kept_responses WHERE ends_at IS NOT NULL
                    WINDOW newest AS (ORDER BY ends_at DESC, digest ROWS UNBOUNDED PRECEDING)
                ) ordered WHERE place > $1 OR bytes > $2
            ) FOR UPDATE SKIP LOCKED)
        """

    /// Remove expired rows; rows that another node removes are skipped.
    static let tidying = [isOld, isLost].map { condition in
        """
        DELETE FROM kept_responses WHERE digest IN (
            SELECT digest FROM kept_responses k WHERE \(condition) FOR UPDATE SKIP LOCKED)
        """
    }

    /// Calls that failed because the database could not be reached.
    private struct Late {
        typealias Call = (end: ContinuousClock.Instant, run: @Sendable (PostgresKeptResponses) async throws -> Void)

        var calls: [Call] = []
        var isRunning = false
    }

    /// The most calls that are repeated at a time, and how long each is.
    private static let (lateLimit, lateTime) = (1_000, Duration.seconds(60))

    private let engine: PostgresEngine
    private let limits: KeptResponseLimits
    private let trimInterval: Duration
    private let trimmedAt = Mutex<ContinuousClock.Instant?>(nil)
    private let late = Mutex(Late())

    /// - Parameters:
    ///   - engine: The database.
    ///   - limits: The limits of all nodes together.
    ///   - trimInterval: How often this node removes responses beyond the limits of number and bytes; in between, more
    ///     responses are kept.
    init(
        engine: PostgresEngine, limits: KeptResponseLimits = KeptResponseLimits(), trimInterval: Duration = .seconds(1)
    ) {
        (self.engine, self.limits, self.trimInterval) = (engine, limits, trimInterval)
    }

    /// Returns the same responses with other limits, beyond which they are removed at once; for tests.
    package func limited(to limits: KeptResponseLimits) -> PostgresKeptResponses {
        PostgresKeptResponses(engine: engine, limits: limits, trimInterval: .zero)
    }

    package func begin(_ key: [UInt8], bodyHash: [UInt8]) async throws -> RequestStep {
        let attempt = RequestAttempt(key: key, number: Int64.random(in: 1...Int64.max))
        do {
            return try await begin(attempt, bodyHash: bodyHash)
        } catch {
            // The key may be taken: perhaps only the answer was lost.
            if !(error is CancellationError) { repeating { try await $0.free(attempt) } }
            throw error
        }
    }

    private func begin(_ attempt: RequestAttempt, bodyHash: [UInt8]) async throws -> RequestStep {
        let (key, node) = (attempt.key, engine.node.rawValue)
        return try await engine.asideOfLog { session in
            for _ in 0..<Self.tryCount {
                let taken = try session.execute(
                    Self.take,
                    [.data(Data(key)), .data(Data(bodyHash)), .text(node), .integer(attempt.number)])
                if !taken.rows.isEmpty { return .proceed(attempt) }
                guard let row = try session.rows(Self.find, [Data(key)]).first else { continue }
                guard row[0] as Data == Data(bodyHash) else { return .reused }
                guard let status = row[2] as Int64? else { return .inWork }
                let response = KeptResponse(
                    status: Int(status), fields: try JSONColumn.list(row[3] as String?), body: Array(row[4] as Data),
                    basis: try (row[5] as String?).map { try JSONColumn.value($0) as StoredBasis }?.basis)
                return .replay(response, RequestAttempt(key: key, number: row[1]))
            }
            return .inWork
        }
    }

    package func finish(_ attempt: RequestAttempt, with response: KeptResponse?) async throws {
        do {
            try await keep(response, of: attempt)
        } catch {
            // Otherwise the key would stay taken as long as this node lives.
            repeating { try await $0.keep(response, of: attempt) }
            throw error
        }
    }

    /// Repeats a failed call in the background, until it succeeds or its time is over.
    private func repeating(_ call: @escaping @Sendable (PostgresKeptResponses) async throws -> Void) {
        let isFirst = late.withLock { late in
            // The oldest one is dropped; its key becomes free later.
            if late.calls.count == Self.lateLimit { late.calls.removeFirst() }
            late.calls.append((ContinuousClock.now + Self.lateTime, call))
            defer { late.isRunning = true }
            return !late.isRunning
        }
        if isFirst { Task { await runLate() } }
    }

    private func runLate() async {
        let shortest = Duration.milliseconds(200)
        var pause = shortest
        while let (end, call) = nextLate() {
            try? await Task.sleep(for: pause)
            if (try? await call(self)) != nil {
                pause = .zero
            } else {
                pause = min(max(pause * 2, shortest), .seconds(10))
                late.withLock { late in
                    if ContinuousClock.now < end, late.calls.count < Self.lateLimit { late.calls.append((end, call)) }
                }
            }
        }
    }

    private func nextLate() -> Late.Call? {
        late.withLock { late in
            late.isRunning = !late.calls.isEmpty
            return late.calls.isEmpty ? nil : late.calls.removeFirst()
        }
    }

    private func free(_ attempt: RequestAttempt) async throws {
        try await engine.asideOfLog(isCertain: true) { session in
            _ = try session.execute(Self.free, [.data(Data(attempt.key)), .integer(attempt.number)])
        }
    }

    private func keep(_ response: KeptResponse?, of attempt: RequestAttempt) async throws {
        let key = [SQLValue.data(Data(attempt.key)), .integer(attempt.number)]
        let kept = response.flatMap { $0.byteCount <= limits.byteCount ? $0 : nil }
        let values = try kept.map { try self.values(of: $0) }
        try await engine.asideOfLog(isCertain: true) { session in
            // bounded: lists are joined
            if let values, try session.execute(Self.keep, key + values).rowCount == 1 { return }
            _ = try session.execute(Self.free, key)
        }
        if kept != nil { try await trim() }
    }

    package func forget(_ attempt: RequestAttempt) async throws {
        try await engine.asideOfLog { session in
            _ = try session.execute(Self.forget, [.data(Data(attempt.key)), .integer(attempt.number)])
        }
    }

    private func values(of response: KeptResponse) throws -> [SQLValue] {
        let basis = try response.basis.map { SQLValue.text(try JSONColumn.text(of: StoredBasis($0))) }
        let lifetime = Int64(clamping: (limits.lifetime / .microseconds(1)).truncated(to: Int64.self) ?? .max)
        return [
            .integer(lifetime), .integer(Int64(response.byteCount)), .integer(Int64(response.status)),
            .text(try JSONColumn.text(response.fields) ?? "[]"), .data(Data(response.body)), basis ?? .null,
        ]
    }

    /// Looks for responses beyond the limits if it is time; adding up all of them costs too much for each request.
    private func trim() async throws {
        let isDue = trimmedAt.withLock { last in
            let moment = ContinuousClock.now
            if let last, moment < last + trimInterval { return false }
            last = moment
            return true
        }
        guard isDue else { return }
        let values: [SQLValue] = [.integer(Int64(limits.count)), .integer(Int64(limits.byteCount))]
        try await engine.asideOfLog(isCertain: true) { session in _ = try session.execute(Self.trim, values) }
    }

    /// Removes all responses, within the transaction of an erasure.
    ///
    /// While the transaction is open, a request in work reads the messages as they were. It keeps its key, but no
    /// response: at its end the count has changed, or is locked.
    static func erase(in db: any SQLSession) throws {
        try db.run("UPDATE erasure_count SET number = number + 1 WHERE place = 1")
        try db.run("DELETE FROM kept_responses WHERE ends_at IS NOT NULL")
    }
}

/// The column `basis`.
private struct StoredBasis: Codable {
    struct StoredTurn: Codable {
        let id: TurnID
        let asker: UserID
        let sources: [MessageKey]
        let askedAt: Int64
    }

    struct StoredExtent: Codable {
        let conversation: ConversationID
        let through: Int64
        let messageCount: Int
    }

    let asker: UserID
    let keys: [MessageKey]
    let extent: StoredExtent?
    let since: ChangeCursor
    let turn: StoredTurn?

    init(_ basis: KeptResponse.Basis) {
        asker = basis.read.asker
        keys = basis.read.keys.sorted()
        extent = basis.read.extent.map {
            StoredExtent(
                conversation: $0.conversationID, through: $0.through.rawValue, messageCount: $0.messageCount)
        }
        since = basis.read.since
        turn = basis.turn.map {
            StoredTurn(id: $0.id, asker: $0.askerID, sources: $0.sourceKeys, askedAt: $0.askedAt.microseconds)
        }
    }

    var basis: KeptResponse.Basis {
        let extent = extent.map {
            ReadBasis.Extent(
                conversationID: $0.conversation, through: MessageNumber(rawValue: $0.through),
                messageCount: $0.messageCount)
        }
        return KeptResponse.Basis(
            read: ReadBasis(asker: asker, keys: Set(keys), extent: extent, since: since),
            turn: turn.map {
                Turn(
                    id: $0.id, askerID: $0.asker, question: "", answer: "", sourceKeys: $0.sources,
                    askedAt: Timestamp(microseconds: $0.askedAt))
            })
    }
}
