/// An action of an administrator, as the audit log has it.
///
/// No entry holds text of messages, a secret or an address of a network.
public enum AuditAction: String, CaseIterable, Hashable, Sendable {
    case accountInvited = "account.invited"
    case accountLinkMade = "account.link-made"
    case accountRoleChanged = "account.role-changed"
    case accountEmailChanged = "account.email-changed"
    case accountDisabled = "account.disabled"
    case accountEnabled = "account.enabled"
    case signInTurnedOn = "sign-in.turned-on"
    case keyMade = "key.made"
    case keyRevoked = "key.revoked"
    case userKindChanged = "user.kind-changed"
    case userMapped = "user.mapped"
    case usersMapped = "users.mapped"
    case userErased = "user.erased"
    case conversationErased = "conversation.erased"
    case historyImported = "history.imported"
    case messagesEmbedded = "messages.embedded"
    case failuresRetried = "failures.retried"
    case generationMade = "generation.made"
    case generationSwitched = "generation.switched"
    case generationDropped = "generation.dropped"
    case connectionPaused = "connection.paused"
    case connectionResumed = "connection.resumed"
    case connectionEnded = "connection.ended"
    /// A person of another chat is no longer joined with an account.
    case linkEnded = "link.ended"
    case roomLeftOut = "room.left-out"
    case roomTakenIn = "room.taken-in"
    case backupMade = "backup.made"
    case feedbackExported = "feedback.exported"
    /// An operation of an administrator without a word; its subject names the operation.
    case other

    /// Whether it is more than one transaction: its entry is stored before it begins.
    public var isLong: Bool {
        switch self {
        case .userErased, .conversationErased, .historyImported, .messagesEmbedded, .generationMade,
            .connectionEnded:
            true
        case .accountInvited, .accountLinkMade, .accountRoleChanged, .accountEmailChanged, .accountDisabled,
            .accountEnabled, .linkEnded, .signInTurnedOn, .keyMade, .keyRevoked, .userKindChanged, .userMapped,
            .usersMapped, .failuresRetried,
            .generationSwitched, .generationDropped, .connectionPaused, .connectionResumed, .roomLeftOut, .roomTakenIn,
            .backupMade, .feedbackExported, .other:
            false
        }
    }
}

/// The object of an administrator's action.
public struct AuditSubject: Hashable, Sendable {
    /// A stable word, such as `user`.
    public let kind: String
    /// The id; nil for one that was erased, or that is not known yet.
    public var id: String?

    public init(kind: String, id: String?) { (self.kind, self.id) = (kind, id) }

    /// A person.
    public static func user(_ id: UserID?) -> AuditSubject { AuditSubject(kind: "user", id: id?.rawValue) }

    /// A conversation.
    public static func conversation(_ id: ConversationID?) -> AuditSubject {
        AuditSubject(kind: "conversation", id: id?.rawValue)
    }

    /// A key for the HTTP API.
    public static func key(_ id: APIKey.ID?) -> AuditSubject { AuditSubject(kind: "key", id: id?.rawValue) }

    /// The connection to another chat, by its source.
    public static func connection(_ source: String) -> AuditSubject { AuditSubject(kind: "connection", id: source) }

    /// A set of vectors.
    public static func generation(_ number: Int64) -> AuditSubject {
        AuditSubject(kind: "generation", id: String(number))
    }

    /// The operation of a route.
    public static func operation(_ id: String) -> AuditSubject { AuditSubject(kind: "operation", id: id) }

    /// The kinds that entries have.
    public static let kinds = ["user", "conversation", "key", "connection", "generation", "operation"]
}

/// An action with its object.
public struct AuditChange: Hashable, Sendable {
    /// What was done.
    public var action: AuditAction
    /// Its object; nil for none.
    public var subject: AuditSubject?
    /// A word or a number that completes the action, such as the new role; nil for none.
    public var detail: String?

    public init(_ action: AuditAction, _ subject: AuditSubject? = nil, detail: String? = nil) {
        (self.action, self.subject, self.detail) = (action, subject, detail)
    }
}

extension AuditChange {
    /// What a change of an account changes; nil for what stays as it is.
    public static func ofAccount(_ user: UserID, role: AccountRole?, isDisabled: Bool?) -> [AuditChange] {
        let ofRole = role.map { AuditChange(.accountRoleChanged, .user(user), detail: $0.rawValue) }
        let ofState = isDisabled.map { AuditChange($0 ? .accountDisabled : .accountEnabled, .user(user)) }
        return [ofRole, ofState].compactMap(\.self)
    }
}

/// Who acted as an administrator.
public struct AuditActor: Hashable, Sendable {
    /// The kinds of those who act.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A person with the role of an administrator.
        case account
        /// A key with the role `admin`.
        case key
        /// A command on the server's machine.
        case `operator`
        /// Anybody: the server trusts its callers.
        case anyone
    }

    /// The kind.
    public let kind: Kind
    /// The id of the account or key; nil for others, and for a person who was erased.
    public var id: String?
    /// The name at that time; nil if there was none, and for a person who was erased.
    public var name: String?

    public init(_ kind: Kind, id: String? = nil, name: String? = nil) {
        (self.kind, self.id, self.name) = (kind, id, name)
    }

    /// A person with the role of an administrator.
    public static func account(_ id: UserID, name: String? = nil) -> AuditActor {
        AuditActor(.account, id: id.rawValue, name: name)
    }

    /// A key with the role `admin`.
    public static func key(_ id: APIKey.ID) -> AuditActor { AuditActor(.key, id: id.rawValue) }

    /// A command on the server's machine.
    public static let `operator` = AuditActor(.operator)
    /// A caller of a server that trusts its callers.
    public static let anyone = AuditActor(.anyone)
}

/// The way that an administrator's action came.
public enum AuditOrigin: String, CaseIterable, Hashable, Sendable {
    /// The server's own page.
    case page
    case api
    /// A command on the server's machine.
    case command
}

/// How far an administrator's action is.
public enum AuditResult: String, CaseIterable, Hashable, Sendable {
    /// It runs, or the server ended while it ran.
    case begun
    case done
    /// It was refused, or ended early: then a part of it may be done.
    case failed
}

/// An entry of the audit log.
public struct AuditEntry: Hashable, Sendable {
    /// Ascending, in the order of storing.
    public let number: Int64
    /// When the action began.
    public let startedAt: Timestamp
    /// Who acted.
    public let actor: AuditActor
    /// The way that the action came.
    public let origin: AuditOrigin
    /// A word of ``AuditAction``, or one of a later release.
    public let action: String
    /// The object of the action; nil for none.
    public let subject: AuditSubject?
    /// A word or a number that completes the action; nil for none.
    public let detail: String?
    /// How far the action is.
    public let result: AuditResult

    public init(
        number: Int64, startedAt: Timestamp, actor: AuditActor, origin: AuditOrigin, action: String,
        subject: AuditSubject?, detail: String?, result: AuditResult
    ) {
        self.number = number
        self.startedAt = startedAt
        self.actor = actor
        self.origin = origin
        self.action = action
        self.subject = subject
        self.detail = detail
        self.result = result
    }
}

/// A choice of entries, the latest first.
public struct AuditQuery: Hashable, Sendable {
    /// Only entries by this person, or about this person.
    public var person: UserID?
    /// Only this action.
    public var action: String?
    /// Only entries of this time or later.
    public var from: Timestamp?
    /// Only entries before this time.
    public var until: Timestamp?
    /// Only entries with a lower number.
    public var before: Int64?
    /// The most entries.
    public var limit: Int

    public init(
        person: UserID? = nil, action: String? = nil, from: Timestamp? = nil, until: Timestamp? = nil,
        before: Int64? = nil, limit: Int
    ) {
        self.person = person
        self.action = action
        self.from = from
        self.until = until
        self.before = before
        self.limit = limit
    }
}
