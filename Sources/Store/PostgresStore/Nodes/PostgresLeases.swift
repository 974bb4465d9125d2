package import ChatCore
import MessageStore
import Synchronization

/// Leases of a database, each of which one node has at a time.
///
/// A node that cannot renew its lease ends its work before the lease ends. Another node then continues from the state of
/// the store. The database's clock decides, because those of the nodes may differ.
package final class PostgresLeases: NodeLeases {
    private static let leaseTime = Duration.seconds(15)
    /// The time between two attempts to take or renew a lease.
    private static let interval = Duration.seconds(3)
    /// Work ends this long before the end of its lease.
    private static let margin = Duration.seconds(5)

    private let engine: PostgresEngine

    init(engine: PostgresEngine) {
        self.engine = engine
    }

    package func hold(_ name: String, _ work: @Sendable (LeaseTerm) async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await repeating(work, under: name))
        } catch {
            result = .failure(error)
        }
        // Another node need not wait for the end of the lease.
        try? await end(name, of: owner)
        try result.get()
    }

    private var owner: String { engine.node.rawValue }

    private func repeating(
        _ work: @Sendable (LeaseTerm) async throws -> Void, under name: String
    ) async throws {
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            if (try? await take(name, of: owner, for: Self.leaseTime)) == true {
                try await work(.until { await self.keep(name, since: begin) })
                if Task.isCancelled { break }
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Returns when the lease is lost, or may be lost soon.
    private func keep(_ name: String, since begin: ContinuousClock.Instant) async {
        var taken = begin
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            let now = ContinuousClock.now
            // After a pause of the whole process, another node may have the lease.
            guard now < taken + Self.leaseTime else { return }
            let end = taken + Self.leaseTime - Self.margin
            switch await renewal(of: name, by: end) {
            case .renewed: taken = now
            case .lost: return
            case .unknown: if ContinuousClock.now > end { return }
            }
        }
    }

    private enum Renewal { case renewed, lost, unknown }

    /// Renews the lease; waits until `end` at most, even if the database takes longer.
    private func renewal(of name: String, by end: ContinuousClock.Instant) async -> Renewal {
        let answered = WorkSignal()
        let answer = Mutex(Renewal.unknown)
        let seen = answered.count
        // An unstructured task, because this function would wait for a child task.
        let attempt = Task { [self] in
            defer { answered.signal() }
            guard let isRenewed = try? await renew(name, of: owner, for: Self.leaseTime) else { return }
            answer.withLock { $0 = isRenewed ? .renewed : .lost }
        }
        try? await answered.wait(after: seen, timeout: max(.zero, end - .now))
        if Task.isCancelled { attempt.cancel() }
        return answer.withLock { $0 }
    }
}

/// The statements.
extension PostgresLeases {
    /// Takes a lease; a node may take its own lease again.
    ///
    /// - Parameters:
    ///   - name: What it is for.
    ///   - owner: The node.
    ///   - time: How long it is valid.
    /// - Returns: Whether the node has the lease now.
    /// - Throws: ``RepositoryError``.
    package func take(_ name: String, of owner: String, for time: Duration) async throws -> Bool {
        try await change(PostgresSchema.takeLease, name, of: owner, for: time)
    }

    /// Makes a lease that the node has valid for longer.
    ///
    /// A renewal that reaches the database late, after ``end(_:of:)``, changes nothing.
    ///
    /// - Parameters:
    ///   - name: What it is for.
    ///   - owner: The node.
    ///   - time: How long it is valid.
    /// - Returns: Whether the node still has the lease.
    /// - Throws: ``RepositoryError``.
    package func renew(_ name: String, of owner: String, for time: Duration) async throws -> Bool {
        try await change(PostgresSchema.renewLease, name, of: owner, for: time)
    }

    /// Gives a lease back, even in a task that was cancelled; one that another node has stays.
    package func end(_ name: String, of owner: String) async throws {
        try await engine.asideOfLog(isCertain: true) { session in
            _ = try session.execute(PostgresSchema.endLease, [.text(name), .text(owner)])
        }
    }

    private func change(_ sql: String, _ name: String, of owner: String, for time: Duration) async throws -> Bool {
        try await engine.asideOfLog { session in
            let seconds = Int64(time.components.seconds)
            return try !session.execute(sql, [.text(name), .text(owner), .integer(seconds)]).rows.isEmpty
        }
    }
}
