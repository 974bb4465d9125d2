public import Foundation

/// What an administrator did; without text of messages and secrets.
public struct AuditLogEntry: Hashable, Sendable, Codable, Identifiable {
    /// Its id.
    public var id: String
    /// When it began.
    public var startedAt: Date
    /// Who did it: `account`, `key`, `operator` for a command on the server's machine, `anyone` for a server that trusts
    /// its callers.
    public var actor: String
    /// The id of the account or the key; nil for others, and for a person who was erased.
    public var actorId: String?
    /// The name at that time; nil if there was none, and for a person who was erased.
    public var actorName: String?
    /// The way that it came: `page`, `api`, `command`.
    public var origin: String
    /// A word such as `account.disabled`.
    public var action: String
    /// The kind of its object, such as `user`; nil for none.
    public var subject: String?
    /// The id of its object; nil if the object was erased.
    public var subjectId: String?
    /// A word or a number that completes the action, such as the new role.
    public var detail: String?
    /// How far it is: `begun`, `done`, `failed`.
    public var result: String

    public init(
        id: String, startedAt: Date, actor: String, actorId: String? = nil, actorName: String? = nil, origin: String,
        action: String, subject: String? = nil, subjectId: String? = nil, detail: String? = nil, result: String
    ) {
        self.id = id
        self.startedAt = startedAt
        self.actor = actor
        self.actorId = actorId
        self.actorName = actorName
        self.origin = origin
        self.action = action
        self.subject = subject
        self.subjectId = subjectId
        self.detail = detail
        self.result = result
    }
}

/// A page of what administrators did, the latest first.
public struct AuditLogPage: Hashable, Sendable, Codable {
    /// The entries.
    public var entries: [AuditLogEntry]
    /// The value of `before` for the next page; nil for the last one.
    public var next: String?

    public init(entries: [AuditLogEntry], next: String? = nil) { (self.entries, self.next) = (entries, next) }
}
