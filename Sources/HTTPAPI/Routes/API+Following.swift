import ChatCore
import Hummingbird
import ServiceLifecycle

extension API {
    /// The longest that a request waits for something to happen, in seconds; below what proxies allow as a rule.
    static let longestWait = 25

    /// Answers what became of a conversation's items since a change, as soon as something did.
    ///
    /// Who may not see the conversation any more is told so as soon as that is decided.
    func follow(
        _ kind: ExtractedItem.Kind, _ incoming: IncomingRequest, _ caller: Caller
    ) async throws -> Response {
        let asker = try incoming.asker(caller)
        let id = try incoming.conversationID()
        let wait = try incoming.integer("wait", in: 0...Self.longestWait, default: 0)
        let start = ChangeNumber(
            rawValue: Int64(try incoming.integer("after", in: 0...Int(Int32.max) * 1_000_000, default: 0)))
        let end = ContinuousClock.now + .seconds(wait)
        var isOver = wait == 0
        while true {
            let found = try await services.store.itemChanges(
                of: kind, in: id, asker: asker, after: start, at: services.now())
            if isOver || !found.isEmpty || drain.hasBegun { return try reply(ItemChangesWire(found)) }
            isOver = try await !changes(after: found.next, before: end)
        }
    }

    /// Waits for a change; returns false when there is none before `end`, or the server is told to stop.
    private func changes(after number: ChangeNumber, before end: ContinuousClock.Instant) async throws -> Bool {
        let store = services.store
        do {
            try await withTimeLimit(max(.zero, end - .now)) {
                try await cancelWhenGracefulShutdown { try await store.waitForChange(after: number) }
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

/// What became of a conversation's items; `next` is what `after` takes the next time.
struct ItemChangesWire: Encodable {
    let items: [ItemWire]
    let removedIds: [ItemID]
    let next: Int64

    init(_ changes: ItemListChanges) {
        items = changes.items.map { ItemWire($0) }
        removedIds = changes.removedIDs
        next = changes.next.rawValue
    }
}
