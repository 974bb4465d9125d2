import ChatCore
import HTTPAPI
import Histories
import MessageStore
import UseCases

/// Performs the commands of operators: each with the use case of its topic.
struct OperatorDesk: Sendable {
    let imports: HistoryImports
    let embedding: EmbeddingRun
    let givenUp: GivenUpMessages
    let generations: EmbeddingGenerations
    let reembedding: Reembedding
    let comparer: GenerationComparer
    let feedback: FeedbackWriter
    let status: NodeStatus
    let doctor: Doctor
    let mappings: UserMappings
    let users: UserDirectory
    let conversations: ConversationReports
    let keys: APIKeys
    let accounts: AccountAdministration
    let erasure: Erasure
    let connections: Connections
    let audit: any AuditLog
    let now: @Sendable () -> Timestamp
    let links: PersonLinks
    /// Writes a backup into a folder that does not exist yet.
    let backUp: @Sendable (_ folder: String) async throws -> BackupManifest

    /// Performs a command; the last event has its outcome or its failure.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - actor: Who gives it, for the audit log.
    ///   - origin: The way that it came.
    ///   - isServing: Whether this is the process of a server.
    ///   - emit: Receives the events.
    /// - Throws: The error of `emit`, and `CancellationError`.
    func perform(
        _ command: OperatorCommand, by actor: AuditActor = .operator, from origin: AuditOrigin = .command,
        isServing: Bool = false, emit: Emit
    ) async throws {
        let command = command.withoutSecrets
        do {
            try await emit(
                .done(
                    try await audited(command, by: actor, from: origin) {
                        try await RequestAuthority.$current.withValue(command.completes ? nil : .current) {
                            try await outcome(of: command, isServing: isServing, emit: emit)
                        }
                    }))
        } catch let error as CancellationError {
            throw error
        } catch {
            try await emit(.failed(OperatorFailure(message: ErrorText.line(for: error))))
        }
    }

    /// Performs a command, with entries in the audit log if it changes something.
    private func audited(
        _ command: OperatorCommand, by actor: AuditActor, from origin: AuditOrigin,
        _ work: () async throws -> OperatorOutcome
    ) async throws -> OperatorOutcome {
        let changes = command.changes
        guard !changes.isEmpty else { return try await work() }
        let act = AuditAct(
            id: randomID(), by: actor, from: origin, operation: "command", changes: changes, startedAt: now())
        return try await audit.performing(act) {
            let outcome = try await work()
            if case .mappingUnconfirmed = outcome { act.withdraw() }
            return outcome
        }
    }

    private func outcome(
        of command: OperatorCommand, isServing: Bool, emit: Emit
    ) async throws -> OperatorOutcome {
        switch command {
        case .importHistory(let files, let options):
            .imported(
                try await imports.run(files, options: options, emit: emit),
                waiting: try await generations.servingQueue()?.pendingCount)
        case .previewImport(let files, let options):
            try await preview(files, options: options, emit: emit)
        case .ingest: .embedded(try await embedding.run(emit: emit))
        case .listFailed: .failedMessages(try await givenUp.all())
        case .retryFailed(let names): .retried(count: try await givenUp.retry(names))
        case .reembed(let request): try await reembedding.run(request, isServing: isServing, emit: emit)
        case .listGenerations: .generations(try await generations.reports())
        case .switchGeneration(let number, let isForced):
            .generations([try await generations.switchTo(number, isForced: isForced, isServing: isServing)])
        case .dropGeneration(let number):
            .generationDropped(
                number: number, freedByteCount: try await generations.drop(number, isServing: isServing))
        case .compareGenerations(let request): .compared(try await comparer.compare(request, emit: emit))
        case .writeFeedback(let folder): .feedbackWritten(try await feedback.write(to: folder))
        case .status: .status(try await status.report(isServed: isServing))
        case .doctor: .examined(await doctor.examine())
        case .mapUser(let identity, let conversation, let isConfirmed):
            OperatorOutcome(try await mappings.map(identity, in: conversation, isConfirmed: isConfirmed ?? false))
        case .mapUsers(let lines, let isConfirmed):
            OperatorOutcome(try await mappings.map(lines, isConfirmed: isConfirmed ?? false))
        case .mapUsersByEmail(let source): OperatorOutcome(try await mappings.mapByEmail(source: source))
        case .setUserKind(let user, let kind): .userKind(try await users.setKind(kind, of: user))
        case .listUsers: .users(try await users.authors(), kinds: try await users.users())
        case .listConversations: .conversations(try await conversations.all())
        case .showConversation(let id): .conversation(try await conversations.report(on: id))
        case .createKey(let request): .keyCreated(try await keys.create(request))
        case .listKeys: .keys(try await keys.all())
        case .revokeKey(let id): .keys([try await keys.revoke(id)])
        case .inviteAccount(let user, let name, let role):
            .accountLink(try await accounts.invite(user, name: name, role: role))
        case .listAccounts: .accounts(try await accounts.all())
        case .changeAccount(let user, let role, let isDisabled):
            .accounts([try await accounts.change(user, role: role, isDisabled: isDisabled)])
        case .resetAccount(let user): .accountLink(try await accounts.reset(user))
        case .setAccountEmail(let user, let email):
            .accounts([try await accounts.setEmail(email, of: user, links: links)])
        case .backup(let folder): .backedUp(try await backUp(folder))
        case .erase(let subject, let isConfirmed):
            .erased(try await erasure.run(subject, isConfirmed: isConfirmed, emit: emit))
        case .listConnections: .connections(try await connections.all())
        case .testConnection(let source): .connectionTested(try await connections.test(source))
        case .setConnection(let source, let isActive):
            .connections([try await connections.set(source, isActive: isActive)])
        case .setRoom(let source, let room, let isLeftOut):
            .connections([try await connections.setRoom(room, of: source, isLeftOut: isLeftOut)])
        case .disconnect(let source, let isConfirmed):
            .erased(try await connections.disconnect(source, isConfirmed: isConfirmed, emit: emit))
        case .listLinks: .links(try await links.links(of: nil))
        case .endLink(let source, let author): .links(try await connections.endLink(of: author, in: source, links))
        }
    }

    /// Shows what an import would change.
    func preview(_ files: [String], options: HistoryOptions, emit: Emit) async throws -> OperatorOutcome {
        let (summary, memberships) = try await imports.preview(files, options: options, emit: emit)
        return .importPreviewed(summary, memberships: memberships)
    }
}

extension OperatorOutcome {
    fileprivate init(_ outcome: MappingOutcome) {
        self =
            switch outcome {
            case .mapped(let count, let places): .mapped(messageCount: count, conversationCount: places)
            case .mappedAll(let lines, let count): .mappedUsers(lines, messageCount: count)
            case .unconfirmed(let names): .mappingUnconfirmed(names)
            }
    }
}
