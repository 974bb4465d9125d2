import ChatCore
import HTTPAPI
import UseCases

extension Workspace {
    /// Does something with a user's threads.
    func threads(_ request: OperatorCommand.ThreadRequest) async throws -> OperatorOutcome {
        let asker = request.asker
        switch request.action {
        case .list(let limit):
            return .threads(try await useCases.threads(of: asker, limit: limit).map { ThreadWire($0) })
        case .create(let title):
            return .threads([ThreadWire(try await useCases.createThread(of: asker, title: title))])
        case .show(let id):
            let (thread, turns) = try await useCases.transcript(of: id, asker: asker)
            return .thread(ThreadWire(thread), turns.map { TurnWire($0, links: settings.messageLinks) })
        case .rename(let id, let title):
            return .threads([ThreadWire(try await useCases.renameThread(id, of: asker, title: title))])
        case .delete(let id):
            try await useCases.deleteThread(id, of: asker)
            return .threads([])
        case .showExchange(let id):
            let turns = try await useCases.wholeExchange(of: asker, in: id)
            return .turns(turns.map { TurnWire($0, links: settings.messageLinks) })
        case .clearExchange(let id):
            try await useCases.clearExchange(of: asker, in: id)
            return .turns([])
        case .export(let id):
            let (thread, turns) = try await useCases.transcript(of: id, asker: asker)
            return .document(ThreadMarkdown(thread, turns: turns, links: settings.messageLinks).text)
        }
    }

    /// Does something with a user's turns.
    func turns(_ request: OperatorCommand.TurnRequest) async throws -> OperatorOutcome {
        switch request {
        case .list(let asker, let limit):
            let turns = try await useCases.turns(of: asker, limit: limit).elements
            return .turns(turns.map { TurnWire($0, links: settings.messageLinks) })
        case .judge(let id, let asker, let rating, let reason):
            let turn = try await useCases.setFeedback(rating, reason: reason, on: id, of: asker)
            return .turns([TurnWire(turn, links: settings.messageLinks)])
        case .trace(let id, let asker):
            guard let trace = try await useCases.trace(of: id, user: asker) else {
                throw OperatorFailure(message: "no trace of turn \(id) is kept, or it was redacted")
            }
            return .trace(TraceWire(trace, of: id))
        }
    }
}
