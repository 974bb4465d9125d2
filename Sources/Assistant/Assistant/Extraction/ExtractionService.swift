package import ChatCore
import Extraction
package import Foundation
import Logging
import Prompting
import TextAnalysis

/// Extracts tasks, decisions and dates from conversations with a language model.
///
/// Without a model it throws ``ModelServiceError/misconfigured(reason:)``. Items are stored after each part, so that a
/// failure loses at most one part.
package struct ExtractionService: ItemExtracting {
    /// The store of messages and items.
    package typealias Repository = ItemRepository & MessageRepository & ConversationRepository

    let store: any Repository
    let session: ModelSession
    let settings: ExtractionSettings
    let makeID: @Sendable () -> UUID

    /// - Parameters:
    ///   - store: Contains messages and items.
    ///   - session: Finds the items.
    ///   - settings: How much it reads.
    ///   - makeID: Makes the ids of items.
    package init(
        store: any Repository, session: ModelSession, settings: ExtractionSettings = ExtractionSettings(),
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.store = store
        self.session = session
        self.settings = settings
        self.makeID = makeID
    }

    /// See ``ItemExtracting/extract(_:in:asker:timeZone:)``.
    package func extract(
        _ kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, timeZone: String?
    ) async throws -> (outcome: ExtractionOutcome, before: [ExtractedItem]) {
        let lister = try lister(for: asker)
        let moment = session.now()
        let limits = ExtractionLimits(
            messages: settings.messageCount, context: settings.contextCount, known: settings.knownCount)
        let beginning = try await store.beginExtraction(
            of: kind, in: id, asker: asker, leaseID: makeID().uuidString, until: moment + settings.lease,
            reading: limits, at: moment)
        let place = Place(roster: beginning.roster, asker: asker, timeZone: timeZone)
        let result = await Result { try await run(beginning, at: place, with: lister) }
        if case .success(let outcome) = result, outcome.isComplete { return (outcome, beginning.items) }
        // Also when the caller went away, so that the next caller need not wait.
        try? await withoutCancellation { try await store.endExtraction(beginning.lease) }
        return (try result.get(), beginning.items)
    }

    /// The conversation, and who asks.
    struct Place: Sendable {
        let roster: ConversationRoster
        let asker: UserID
        /// The zone of the request or the conversation; UTC when neither has one.
        let zone: String

        init(roster: ConversationRoster, asker: UserID, timeZone: String?) {
            self.roster = roster
            self.asker = asker
            zone = timeZone ?? roster.conversation.timeZone ?? "UTC"
        }

        var participants: [Participant] {
            roster.members.map { Participant(id: $0.userID, displayName: $0.displayName, aliases: $0.aliases) }
        }
    }

    /// The model for a user; counts against the user's tokens.
    func lister(for asker: UserID) throws -> ModelLister {
        guard let model = session.model else {
            throw ModelServiceError.misconfigured(reason: "no language model is configured")
        }
        return ModelLister(
            model: session.limited(model, for: asker) ?? model, session: session, settings: settings)
    }

    /// What one request to the model is about.
    private struct Part {
        let batch: ExtractionBatch
        /// The messages of the items that are shown.
        let knownMessages: [MessageKey: Message]
    }

    private func run(_ beginning: ExtractionBeginning, at place: Place, with lister: ModelLister) async throws
        -> ExtractionOutcome
    {
        let lease = beginning.lease
        var outcome = ExtractionOutcome()
        var first: Part? = Part(batch: beginning.batch, knownMessages: beginning.knownMessages)
        while true {
            guard outcome.callCount < settings.callLimit else {
                outcome.isComplete = false
                return outcome
            }
            let part: Part
            if let first { part = first } else { part = try await next(lease, at: place) }
            first = nil
            let batch = part.batch
            let changes = try await changes(of: part, lease, at: place, with: lister, &outcome)
            let moment = session.now()
            try await store.commit(
                changes, of: lease, through: batch.end, until: batch.isLast ? nil : moment + settings.lease,
                at: moment)
            outcome.addedCount += changes.added.count
            outcome.changedCount += changes.changed.count
            outcome.removedCount += changes.removedIDs.count
            if batch.isLast { return outcome }
        }
    }

    private func next(_ lease: ExtractionLease, at place: Place) async throws -> Part {
        let batch = try await store.nextMessages(
            for: lease, limit: settings.messageCount, contextLimit: settings.contextCount)
        guard !batch.messages.isEmpty else { return Part(batch: batch, knownMessages: [:]) }
        let scope = SearchScope(asker: place.asker, conversations: .only([lease.conversationID]))
        let keys = batch.shownItems(limit: settings.knownCount).map(\.key)
        return Part(batch: batch, knownMessages: try await store.messages(keys, in: scope, at: session.now()))
    }

    private func changes(
        of part: Part, _ lease: ExtractionLease, at place: Place, with lister: ModelLister,
        _ outcome: inout ExtractionOutcome
    ) async throws -> ItemChanges {
        let batch = part.batch
        guard !batch.messages.isEmpty else { return ItemChanges() }
        let schema = ExtractionSchema.schema(for: lease.kind)
        let list = MessageList(
            new: batch.messages, earlier: batch.context + part.knownMessages.values,
            known: Array(batch.shownItems(limit: settings.knownCount)))
        let drafts = try await lister.drafts(schema, of: list, at: place, &outcome)
        outcome.messageCount += batch.messages.count
        session.logger.debug(
            "Extracted",
            metadata: [
                "extraction.kind": "\(lease.kind.rawValue)", "extraction.messages": "\(batch.messages.count)",
                "extraction.items": "\(drafts.count)",
            ])
        return ItemChanges(
            drafts: drafts.sorted { ($0.message.timestamp, $0.message.key) < ($1.message.timestamp, $1.message.key) },
            kind: lease.kind, known: batch.known, apart: batch.apartIDs, reread: Set(batch.messages.map(\.key)),
            at: session.now()
        ) { ItemID(rawValue: makeID().uuidString.lowercased()) }
    }
}

/// How much an extraction reads, and how.
package struct ExtractionSettings: Hashable, Sendable {
    /// The most tokens of a reply; never more than a third of the model's context.
    package var answerTokenCount: Int
    /// The most new messages in one request; with more the model overlooks some.
    package var messageCount: Int
    /// The number of messages before them that are shown.
    package var contextCount: Int
    /// The number of known items that are shown, with their messages.
    package var knownCount: Int
    /// The most requests to the model of one extraction; the next extraction continues after the last one.
    package var callLimit: Int
    /// The most unread messages that get a priority.
    package var unreadCount: Int
    /// How long an extraction may make no progress before another one may begin.
    package var lease: Duration

    package init(
        answerTokenCount: Int = 2_048, messageCount: Int = 60, contextCount: Int = 12, knownCount: Int = 20,
        callLimit: Int = 24, unreadCount: Int = 100, lease: Duration = .seconds(600)
    ) {
        self.answerTokenCount = answerTokenCount
        self.messageCount = messageCount
        self.contextCount = contextCount
        self.knownCount = knownCount
        self.callLimit = callLimit
        self.unreadCount = unreadCount
        self.lease = lease
    }
}
