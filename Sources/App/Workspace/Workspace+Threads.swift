import ChatCore
import Foundation
import HTTPAPI
import MessageStore

extension Workspace {
    /// Does something with a user's threads.
    func threads(_ request: OperatorCommand.ThreadRequest) async throws -> OperatorOutcome {
        let asker = request.asker
        switch request.action {
        case .list(let limit):
            let threads = try await store.threads(of: asker, after: nil, limit: limit)
            return .threads(try await store.shown(threads, at: Self.now()).map { ThreadWire($0) })
        case .create(let title):
            let thread = AssistantThread(
                id: ThreadID(rawValue: UUID().uuidString.lowercased()), ownerID: asker,
                givenTitle: try AssistantThread.checked(title: title), createdAt: Self.now())
            try await store.create(thread)
            return .threads([ThreadWire(thread)])
        case .show(let id):
            let thread = try await store.thread(id, of: asker)
            let turns = try await store.allTurns(of: asker, in: id, at: Self.now())
            let shown = try await store.shown([thread], at: Self.now())
            return .thread(
                ThreadWire(shown.first ?? thread), turns.map { TurnWire($0, links: settings.messageLinks) })
        case .rename(let id, let title):
            let thread = try await store.rename(id, of: asker, title: title)
            return .threads(try await store.shown([thread], at: Self.now()).map { ThreadWire($0) })
        case .delete(let id):
            try await store.delete(id, of: asker)
            return .threads([])
        case .showExchange(let id):
            guard let thread = try await store.exchange(of: asker, in: id, at: Self.now()) else { return .turns([]) }
            let turns = try await store.allTurns(of: asker, in: thread.id, at: Self.now())
            return .turns(turns.map { TurnWire($0, links: settings.messageLinks) })
        case .clearExchange(let id):
            let thread = try await store.exchange(of: asker, in: id, at: Self.now())
            if let thread { try await store.delete(thread.id, of: asker) }
            return .turns([])
        case .export(let id):
            let thread = try await store.thread(id, of: asker)
            let turns = try await store.allTurns(of: asker, in: id, at: Self.now())
            let shown = try await store.shown([thread], at: Self.now())
            return .document(
                ThreadMarkdown(shown.first ?? thread, turns: turns, links: settings.messageLinks).text)
        }
    }

    /// Does something with a user's turns.
    func turns(_ request: OperatorCommand.TurnRequest) async throws -> OperatorOutcome {
        switch request {
        case .list(let asker, let limit):
            let turns = try await store.turns(of: asker, limit: limit)
            return .turns(
                try await store.readable(turns, at: Self.now()).map { TurnWire($0, links: settings.messageLinks) })
        case .judge(let id, let asker, let rating, let reason):
            let feedback = rating.map { TurnFeedback(rating: $0, reason: reason, givenAt: Self.now()) }
            let turn = try await store.setFeedback(feedback, on: id, of: asker)
            return .turns(
                try await store.readable([turn], at: Self.now()).map { TurnWire($0, links: settings.messageLinks) })
        case .trace(let id, let asker):
            guard let trace = try await store.trace(of: id, user: asker, at: Self.now()) else {
                throw OperatorFailure(message: "no trace of turn \(id) is kept, or it was redacted")
            }
            return .trace(TraceWire(trace, of: id))
        }
    }
}
