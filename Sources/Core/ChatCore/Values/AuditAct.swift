import Synchronization

/// What an administrator does at present, with one entry of the audit log for each change.
///
/// ``AuditLog/performing(_:_:)`` lets it be ``current`` for the work. The store adds the entries to the first transaction
/// that writes meanwhile, so an action and its entry are stored together, and no action can forget its entry.
public final class AuditAct: Sendable {
    private struct State {
        var changes: [AuditChange]
        /// Whether a transaction is about to store the entries.
        var isClaimed = false
        /// The result that the stored entries have; nil before.
        var stored: AuditResult?
    }

    /// The act that the present task is part of; nil for none.
    @TaskLocal public static var current: AuditAct?

    /// The id that the entries share.
    public let id: String
    /// Who acts.
    public let actor: AuditActor
    /// The way that it came.
    public let origin: AuditOrigin
    /// When it began.
    public let startedAt: Timestamp
    /// What an act is that wrote without naming a change.
    private let unnamed: AuditChange
    private let state: Mutex<State>

    /// - Parameters:
    ///   - id: The id that the entries share.
    ///   - actor: Who acts.
    ///   - origin: The way that it came.
    ///   - operation: The name of the operation, for entries if it writes and names no change.
    ///   - changes: The changes, as far as they are known.
    ///   - startedAt: The present time.
    public init(
        id: String, by actor: AuditActor, from origin: AuditOrigin, operation: String, changes: [AuditChange] = [],
        startedAt: Timestamp
    ) {
        (self.id, self.actor, self.origin, self.startedAt) = (id, actor, origin, startedAt)
        unnamed = AuditChange(.other, .operation(operation))
        state = Mutex(State(changes: changes))
    }

    /// Names a change, before it is written.
    public func add(_ change: AuditChange) { state.withLock { $0.changes.append(change) } }

    /// Names the object of the first change, before it is written.
    public func setSubject(_ subject: AuditSubject) {
        state.withLock { state in
            if !state.changes.isEmpty { state.changes[0].subject = subject }
        }
    }

    /// Leaves no entry of what is not stored, because nothing was done.
    public func withdraw() { state.withLock { $0.changes = [] } }

    /// What the entries say.
    public struct Draft: Sendable {
        /// The act.
        public let act: AuditAct
        /// One for each entry.
        public let changes: [AuditChange]
        /// How far it is.
        public let result: AuditResult
    }

    /// Returns the entries for a transaction that writes; nil if they are stored or another transaction stores them.
    ///
    /// ``settle(_:)`` must follow.
    public func claim() -> Draft? {
        state.withLock { state in
            guard state.stored == nil, !state.isClaimed else { return nil }
            state.isClaimed = true
            return Draft(act: self, changes: state.changes.isEmpty ? [unnamed] : state.changes, result: .done)
        }
    }

    /// Notes whether the transaction of a draft stored its entries; nil if it failed.
    public func settle(_ result: AuditResult?) {
        state.withLock { state in
            state.isClaimed = false
            state.stored = result
        }
    }

    /// Whether its entries are to be stored before it begins.
    fileprivate var isLong: Bool { state.withLock { $0.changes.contains { $0.action.isLong } } }

    fileprivate var stored: AuditResult? { state.withLock { $0.stored } }

    fileprivate func draft(_ result: AuditResult) -> Draft? {
        let changes = state.withLock { $0.changes }
        return changes.isEmpty ? nil : Draft(act: self, changes: changes, result: result)
    }
}

extension AuditLog {
    /// Performs what an administrator does, and keeps its entries.
    ///
    /// The entries of one transaction are stored in it. A longer act has its entries before it begins, and their result
    /// changes at its end. An act that writes nothing in the store has its entries at its end, unless the disk is full: a
    /// backup must be possible then. An act without changes that wrote nothing leaves none.
    ///
    /// - Parameters:
    ///   - act: What is done.
    ///   - work: Does it.
    /// - Returns: The result of `work`.
    /// - Throws: The error of `work`; storage errors before it.
    public func performing<Value>(_ act: AuditAct, _ work: () async throws -> Value) async throws -> Value {
        if act.isLong { try await store(.begun, of: act) }
        do {
            let value = try await AuditAct.$current.withValue(act, operation: work)
            await end(act, .done)
            return value
        } catch {
            await end(act, .failed)
            throw error
        }
    }

    /// Completes the entries; what was done is done, also if the store fails now.
    private func end(_ act: AuditAct, _ result: AuditResult) async {
        guard act.stored != result else { return }
        // The store ignores calls from a cancelled task. An entry needs no rights, which may have ended meanwhile.
        try? await withoutCancellation {
            try await RequestAuthority.$current.withValue(nil) {
                guard act.stored == nil else { return try await setResult(result, of: act.id) }
                try await store(result, of: act)
            }
        }
    }

    private func store(_ result: AuditResult, of act: AuditAct) async throws {
        guard let draft = act.draft(result) else { return }
        try await record(draft)
        act.settle(result)
    }
}
