import ChatCore
import Hummingbird
import NexusModel
import ServiceLifecycle
import WebServer

extension API {
    /// The longest time that a request waits for a change, in seconds; below the usual limits of proxies.
    static let longestWait = 25
    /// The most changes of one response.
    private static let followedCount = 500

    /// Answers with the changes of a conversation's items.
    func follow(
        _ kind: ExtractedItem.Kind, _ incoming: IncomingRequest, _ caller: Caller
    ) async throws -> Response {
        let (asker, id) = (try incoming.asker(caller), try incoming.conversationID())
        return try await follow(incoming) { start, moment in
            try await services.store.itemChanges(
                of: kind, in: id, asker: asker, after: start, limit: Self.followedCount, at: moment)
        } wires: { items, _ in
            items.map { ChatItem($0) }
        }
    }

    /// Answers with the changes of the asker's turns with a conversation's own assistant.
    func followExchange(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let (asker, id) = (try incoming.asker(caller), try incoming.conversationID())
        return try await follow(incoming) { start, moment in
            try await services.store.exchangeChanges(
                of: asker, in: id, after: start, limit: Self.followedCount, at: moment)
        } wires: { turns, moment in
            try await services.store.readable(turns, at: moment).map { ChatTurn($0, links: settings.messageLinks) }
        }
    }

    /// Answers with the changes of the asker's threads.
    func followThreads(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        return try await follow(incoming) { start, _ in
            try await services.store.threadChanges(of: asker, after: start, limit: Self.followedCount)
        } wires: { threads, moment in
            try await services.store.shown(threads, at: moment).map { ChatThread($0) }
        }
    }

    /// Answers with the changes of a list after a position, as soon as there are any.
    ///
    /// A caller who may no longer see the list gets an error at once. The request has the position and the time to
    /// wait; `read` reads the list's changes at a moment, `wires` converts the entries.
    private func follow<Element, Wire: Encodable & Sendable>(
        _ incoming: IncomingRequest, changes read: (ChangeCursor?, Timestamp) async throws -> ListChanges<Element>,
        wires: ([Element], Timestamp) async throws -> [Wire]
    ) async throws -> Response {
        let wait = try incoming.integer("wait", in: 0...Self.longestWait, default: 0)
        let start = try incoming.query("after").map { text in
            guard let cursor = ChangeCursor(text) else {
                throw FieldError(FieldPath("after"), "must be next of an earlier reply; leave it out to get everything")
            }
            return cursor
        }
        let end = ContinuousClock.now + .seconds(wait)
        var isOver = wait == 0
        while true {
            let seen = try await services.store.latestChange()
            let moment = services.now()
            let found = try await read(start, moment)
            if isOver || !found.isEmpty || drain.hasBegun {
                return try reply(
                    ChatListChanges(
                        items: try await wires(found.items, moment), removedIds: found.removedIDs.map(\.rawValue),
                        next: "\(found.next)"))
            }
            isOver = try await !changes(after: seen, before: end)
        }
    }

    /// Waits for a change; returns false if there is none before `end`, or if the server is stopping.
    private func changes(after cursor: ChangeCursor, before end: ContinuousClock.Instant) async throws -> Bool {
        let store = services.store
        do {
            try await withTimeLimit(max(.zero, end - .now)) {
                try await cancelWhenGracefulShutdown { try await store.waitForChange(after: cursor) }
            }
            return true
        } catch is TimeLimitExceeded {
            return false
        } catch let error as CancellationError {
            guard !Task.isCancelled else { throw error }
            return false
        }
    }
}
