import Accounts
import ChatCore
import Foundation
import HTTPAPI
import Histories
import Ingest
import MessageStore
import Synchronization
import UseCases

extension Workspace {
    /// Receives events; throws if nobody listens any longer, which ends the command.
    typealias Emit = @Sendable (OperatorEvent) async throws -> Void

    /// Performs a command; the last event has its outcome or its failure.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - isServing: Whether this is a server's workspace.
    ///   - emit: Receives the events.
    /// - Throws: The error of `emit`, and `CancellationError`.
    func perform(_ command: OperatorCommand, isServing: Bool = false, emit: Emit) async throws {
        do {
            try await emit(.done(try await outcome(of: command, isServing: isServing, emit: emit)))
        } catch let error as CancellationError {
            throw error
        } catch {
            try await emit(.failed(OperatorFailure(message: ErrorText.line(for: error))))
        }
    }

    private func outcome(
        of command: OperatorCommand, isServing: Bool, emit: Emit
    ) async throws -> OperatorOutcome {
        switch command {
        case .importHistory(let files, let options): try await importHistory(files, options: options, emit: emit)
        case .previewImport(let files, let options): try await previewImport(files, options: options, emit: emit)
        case .ingest: try await embed(emit: emit)
        case .listFailed: .failedMessages(try await givenUp.all())
        case .retryFailed(let names): .retried(count: try await givenUp.retry(names))
        case .reembed(let request): try await reembed(request, isServing: isServing, emit: emit)
        case .listGenerations: .generations(try await generations.reports())
        case .switchGeneration(let number, let isForced):
            .generations([try await generations.switchTo(number, isForced: isForced, isServing: isServing)])
        case .dropGeneration(let number):
            .generationDropped(
                number: number, freedByteCount: try await generations.drop(number, isServing: isServing))
        case .compareGenerations(let request): try await compare(request, emit: emit)
        case .writeFeedback(let folder): try await writeFeedback(to: folder)
        case .status: .status(try await status(isServed: isServing))
        case .doctor: .examined(await examine())
        case .mapUser(let identity, let conversation, let isConfirmed):
            OperatorOutcome(try await mappings.map(identity, in: conversation, isConfirmed: isConfirmed ?? false))
        case .mapUsers(let lines, let isConfirmed):
            OperatorOutcome(try await mappings.map(lines, isConfirmed: isConfirmed ?? false))
        case .mapUsersByEmail(let source): OperatorOutcome(try await mappings.mapByEmail(source: source))
        case .setUserKind(let user, let kind): .userKind(try await users.setKind(kind, of: user))
        case .listUsers: .users(try await users.authors(), kinds: try await users.users())
        case .listConversations: .conversations(try await store.overviews(at: now()))
        case .showConversation(let id): .conversation(try await report(on: id))
        case .createKey(let request): .keyCreated(try await keys.create(request))
        case .listKeys: .keys(try await keys.all())
        case .revokeKey(let id): .keys([try await keys.revoke(id)])
        case .inviteAccount(let user, let name, let role):
            .accountLink(report(on: try await accounts.invite(user, name: name, role: role)))
        case .listAccounts: .accounts(try await accounts.accounts())
        case .changeAccount(let user, let role, let isDisabled):
            .accounts([try await accounts.change(user, role: role, isDisabled: isDisabled)])
        case .resetAccount(let user): .accountLink(report(on: try await accounts.reset(user)))
        case .backup(let folder): .backedUp(try await backup(to: folder))
        case .erase(let subject, let isConfirmed):
            .erased(try await erase(subject, isConfirmed: isConfirmed, emit: emit))
        }
    }

    /// The sets of vectors.
    var generations: EmbeddingGenerations {
        EmbeddingGenerations(
            store: store, index: index, pricePerMillion: settings.embedding.pricePerMillion,
            databaseByteCount: { [settings] in settings.databaseByteCount }, now: now)
    }

    private var givenUp: GivenUpMessages {
        GivenUpMessages(store: store, wakeWorker: { [worker] in worker.wake() }, now: now)
    }

    private var mappings: UserMappings { UserMappings(store: store, now: now) }

    private var users: UserDirectory { UserDirectory(store: store) }

    private var keys: APIKeys { APIKeys(store: store, draw: APIKeySecret.drawn, now: now) }

    private func importHistory(
        _ files: [String], options: HistoryOptions, emit: Emit
    ) async throws -> OperatorOutcome {
        let history = HistoryImport(store: store, options: options, now: now)
        let report = try await history.run(files.map { URL(filePath: $0) }) { progress in
            try await emit(
                .progress(
                    StageProgress(stage: .importing, done: progress.byteCount, total: progress.totalByteCount)))
        } rejected: { item in
            try await emit(.rejected(item))
        }
        return .imported(report, waiting: try await generations.servingQueue()?.pendingCount)
    }

    /// Embeds until nothing is due, also beside the worker of a server, because leases separate the two.
    private func embed(emit: Emit) async throws -> OperatorOutcome {
        let pace = Pace(interval: .milliseconds(200))
        try await worker.drain { generation in
            if pace.isDue() { try await self.report(generation, emit: emit) }
        }
        guard let serving = try await generations.serving() else { return .embedded(.nothing) }
        try await report(serving, emit: emit)
        return .embedded(try await store.status(of: serving.number))
    }

    private func report(_ generation: EmbeddingGeneration, emit: Emit) async throws {
        let queue = try await store.status(of: generation.number)
        try await emit(
            .progress(
                StageProgress(stage: .embedding, done: queue.embeddedCount, total: queue.embeddableCount)))
    }
}

extension APIKeySecret {
    /// Draws a new key.
    @Sendable fileprivate static func drawn() -> DrawnKey {
        var generator = SystemRandomNumberGenerator()
        let secret = APIKeySecret(using: &generator)
        return DrawnKey(id: secret.id, secret: secret.text, digest: secret.digest)
    }
}

extension NexusSettings {
    /// The size of the database file.
    fileprivate var databaseByteCount: Int {
        let file = dataFolder.appending(path: "nexus.sqlite")
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
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

extension QueueStatus {
    /// The status before the first generation.
    fileprivate static let nothing = QueueStatus(
        embeddableCount: 0, embeddedCount: 0, pendingCount: 0, failedCount: 0, oldestPending: nil)
}
