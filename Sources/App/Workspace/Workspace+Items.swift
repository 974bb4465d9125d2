import Assistant
import ChatCore
import HTTPAPI
import UseCases

extension Workspace {
    /// Lists items, after reading new messages if that is wanted.
    func items(_ request: OperatorCommand.ItemRequest) async throws -> OperatorOutcome {
        var outcome: ExtractionOutcome?
        if request.extracts, let id = request.conversationID {
            outcome = try await useCases.extractItems(
                request.kind, in: id, asker: request.asker, timeZone: request.timeZone
            ).outcome
        }
        let filter = ItemFilter(personID: request.isOwn ? request.asker : nil, question: request.question)
        let page = try await useCases.items(
            of: request.kind, asker: request.asker, in: request.conversationID, filter: filter)
        return .items(page.elements, outcome)
    }

    /// Changes an item for a person who may see its conversation, or takes it away.
    func changeItem(_ change: OperatorCommand.ItemChange) async throws -> OperatorOutcome {
        switch change.action {
        case .edit(let edit):
            let edited = ItemEdit(
                text: edit.text, personID: edit.hasPerson ? .some(edit.personID) : nil,
                due: edit.hasDue ? .some(edit.due.map { Timestamp(microseconds: $0) }) : nil, status: edit.status)
            return .items(
                [try await useCases.editItem(change.id, edited, kind: change.kind, asker: change.asker)], nil)
        case .dismiss:
            try await useCases.dismissItem(change.id, kind: change.kind, asker: change.asker)
            return .items([], nil)
        }
    }

    /// Judges unread messages.
    func priorities(_ request: OperatorCommand.PriorityRequest) async throws -> OperatorOutcome {
        let start: UnreadStart =
            if let after = request.after { .after(after) } else { .since(request.since ?? Self.now()) }
        let found = try await useCases.priorities(
            in: request.conversationID, asker: request.asker, from: start, timeZone: request.timeZone)
        return .priorities(found.map { PriorityWire($0) })
    }
}
