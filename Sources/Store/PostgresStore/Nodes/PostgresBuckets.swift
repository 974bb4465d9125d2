import ChatCore
import Crypto
import Foundation
import MessageStore

/// Buckets that all nodes share.
///
/// For each bucket the table has the moment at which it is full again. The table is not in the write-ahead log: taking
/// does not wait for the disk, and a crash of the database fills all buckets.
final class PostgresBuckets: SharedBuckets {
    static let table = """
        -- digest: the SHA-256 of the name. granted: what was taken last.
        CREATE UNLOGGED TABLE request_buckets (
            digest BYTEA PRIMARY KEY,
            full_at BIGINT NOT NULL,
            granted BIGINT NOT NULL
        ) WITH (fillfactor = 50);

        """

    private static let now = "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint"

    /// Takes requests; values: digest, requests, limit, microseconds until one flows in.
    private static let take = """
        INSERT INTO request_buckets AS b (digest, full_at, granted)
        VALUES ($1, \(now) + LEAST($2, $3) * $4, LEAST($2, $3))
        ON CONFLICT (digest) DO UPDATE SET
            full_at = GREATEST(b.full_at, \(now)) + \(available) * $4, granted = \(available)
        RETURNING granted, full_at - \(now)
        """

    private static let available = "GREATEST(0, LEAST($2, $3 - (GREATEST(b.full_at - \(now), 0) + $4 - 1) / $4))"

    /// Removes full buckets; those that another node removes are skipped.
    static let tidy = """
        DELETE FROM request_buckets WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM request_buckets WHERE full_at <= \(now) FOR UPDATE SKIP LOCKED))
        """

    let costsRoundTrip = true
    private let engine: PostgresEngine

    init(engine: PostgresEngine) {
        self.engine = engine
    }

    func take(_ count: Int, from bucket: SharedBucket) async throws -> BucketPortion {
        let interval = (bucket.interval / .microseconds(1)).truncated(to: Int64.self) ?? .max
        let values: [SQLValue] = [
            Self.digest(bucket), .integer(Int64(count)), .integer(Int64(bucket.limit)), .integer(max(1, interval)),
        ]
        return try await engine.asideOfLog { session in
            guard let row = try session.execute(Self.take, values).rows.first, case .integer(let granted) = row[0],
                case .integer(let rest) = row[1]
            else { throw PostgresFailure(code: nil) }
            return BucketPortion(count: Int(granted), fullIn: .microseconds(rest))
        }
    }

    func fill(_ bucket: SharedBucket) async throws {
        let digest = Self.digest(bucket)
        try await engine.asideOfLog { session in
            _ = try session.execute("DELETE FROM request_buckets WHERE digest = $1", [digest])
        }
    }

    private static func digest(_ bucket: SharedBucket) -> SQLValue {
        .data(Data(SHA256.hash(data: Data(bucket.name.utf8))))
    }
}
