import ChatCore
import MessageStore
import UseCases

extension OperatorCommand {
    /// What it changes, for the audit log; empty for a command that only reads.
    ///
    /// A backup and a dataset of rated turns count too, because content leaves the server with them.
    var changes: [AuditChange] {
        switch self {
        case .previewImport, .listFailed, .listGenerations, .compareGenerations, .status, .doctor, .listUsers,
            .listConversations, .showConversation, .listKeys, .listAccounts, .listConnections, .testConnection,
            .listLinks:
            []
        case .importHistory: [AuditChange(.historyImported)]
        case .ingest: [AuditChange(.messagesEmbedded)]
        case .retryFailed: [AuditChange(.failuresRetried)]
        case .writeFeedback: [AuditChange(.feedbackExported)]
        case .reembed: [AuditChange(.generationMade)]
        case .switchGeneration(let number, _): [AuditChange(.generationSwitched, .generation(number))]
        case .dropGeneration(let number): [AuditChange(.generationDropped, .generation(number))]
        case .mapUser(let identity, _, _): [AuditChange(.userMapped, .user(identity.userID))]
        case .mapUsers(let lines, _): [AuditChange(.usersMapped, detail: String(lines.count))]
        case .mapUsersByEmail: [AuditChange(.usersMapped)]
        case .setUserKind(let user, let kind): [AuditChange(.userKindChanged, .user(user), detail: kind?.rawValue)]
        case .createKey(let request): [AuditChange(.keyMade, .key(nil), detail: request.role.rawValue)]
        case .revokeKey(let id): [AuditChange(.keyRevoked, .key(id))]
        case .inviteAccount(let user, _, let role):
            [AuditChange(.accountInvited, .user(user), detail: role.rawValue)]
        case .changeAccount(let user, let role, let isDisabled):
            AuditChange.ofAccount(user, role: role, isDisabled: isDisabled)
        case .setAccountEmail(let user, _): [AuditChange(.accountEmailChanged, .user(user))]
        case .endLink(let source, _): [AuditChange(.linkEnded, .connection(source))]
        case .resetAccount(let user): [AuditChange(.accountLinkMade, .user(user))]
        case .backup: [AuditChange(.backupMade)]
        case .erase(_, isConfirmed: false), .disconnect(_, isConfirmed: false): []
        // Without the id, which is to leave every table.
        case .erase(ErasureSubject.user, isConfirmed: true): [AuditChange(.userErased, AuditSubject.user(nil))]
        case .erase(ErasureSubject.conversation, isConfirmed: true):
            [AuditChange(.conversationErased, .conversation(nil))]
        case .setConnection(let source, let isActive):
            [AuditChange(isActive ? .connectionResumed : .connectionPaused, .connection(source))]
        case .setRoom(let source, let room, let isLeftOut):
            [AuditChange(isLeftOut ? .roomLeftOut : .roomTakenIn, .connection(source), detail: room)]
        case .disconnect(let source, isConfirmed: true): [AuditChange(.connectionEnded, .connection(source))]
        }
    }
}

extension OperatorCommand {
    /// The same command without the secret of a key, which people paste when they revoke it: the id is enough.
    var withoutSecrets: OperatorCommand {
        guard case .revokeKey(let id) = self, APIKeySecret.isKey(id.rawValue) else { return self }
        return .revokeKey(APIKeySecret(id.rawValue)?.id ?? "nxk_…")
    }

    /// Whether it has to come to its end once it began, also if the rights of who gave it end: half of it would leave what
    /// was to go.
    var completes: Bool {
        switch self {
        case .erase(_, isConfirmed: true), .disconnect(_, isConfirmed: true): true
        default: false
        }
    }
}
