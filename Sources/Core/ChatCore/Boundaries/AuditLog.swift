/// The audit log: what administrators did.
///
/// All calls throw ``RepositoryError``.
public protocol AuditLog: Sendable {
    /// Adds an entry for each change of a draft, with the present names of account or key.
    func record(_ draft: AuditAct.Draft) async throws

    /// Changes the result of the entries of an act.
    func setResult(_ result: AuditResult, of act: String) async throws

    /// Returns entries, the latest first.
    func auditEntries(_ query: AuditQuery) async throws -> [AuditEntry]
}
