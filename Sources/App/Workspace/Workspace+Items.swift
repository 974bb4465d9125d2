import Assistant
import ChatCore
import HTTPAPI
import MessageStore

extension Workspace {
    /// Lists what was taken out of conversations, after reading what is new where that is wanted.
    func items(_ request: OperatorCommand.ItemRequest) async throws -> OperatorOutcome {
        var outcome: ExtractionOutcome?
        if request.extracts, let id = request.conversationID {
            outcome = try await extractor.extract(
                request.kind, in: id, asker: request.asker, timeZone: request.timeZone)
        } else if let id = request.conversationID {
            _ = try await store.roster(of: id, asker: request.asker, at: Self.now())
        }
        let scope = SearchScope(
            asker: request.asker, conversations: request.conversationID.map { .only([$0]) } ?? .all)
        let items = try await store.items(of: request.kind, in: scope, at: Self.now())
            .filter { !request.isOwn || $0.personID == request.asker }
        return .items(request.kind == .decision ? DecisionSearch.find(request.question, in: items) : items, outcome)
    }

    /// Changes an item for a person who may see its conversation, or takes it away.
    func changeItem(_ change: OperatorCommand.ItemChange) async throws -> OperatorOutcome {
        let scope = SearchScope(asker: change.asker, conversations: .all)
        switch change.action {
        case .edit(let edit):
            let edited = ItemEdit(
                text: edit.text, personID: edit.hasPerson ? .some(edit.personID) : nil,
                due: edit.hasDue ? .some(edit.due.map { Timestamp(microseconds: $0) }) : nil, status: edit.status)
            let item = try await store.edit(change.id, edited, kind: change.kind, in: scope, at: Self.now())
            return .items([item], nil)
        case .dismiss:
            try await store.dismiss(change.id, kind: change.kind, in: scope, at: Self.now())
            return .items([], nil)
        }
    }

    /// Judges unread messages.
    func priorities(_ request: OperatorCommand.PriorityRequest) async throws -> OperatorOutcome {
        let start: UnreadStart =
            if let after = request.after { .after(after) } else { .since(request.since ?? Self.now()) }
        let found = try await extractor.priorities(
            in: request.conversationID, asker: request.asker, from: start, timeZone: request.timeZone)
        return .priorities(found.map { PriorityWire($0) })
    }
}
