public import Foundation
public import NexusModel

/// What a conversation shows, in its order.
public enum TimelineEntry: Hashable, Sendable {
    /// Messages may be missing here; ``NexusSession/fill(_:in:)`` loads them.
    case gap(TimelinePosition)
    /// A message.
    case message(ChatMessage)
    /// A message of this client that did not come back yet; these are last.
    case outgoing(OutgoingMessage)
}

/// Loading: first from the store, then from the server.
extension NexusSession {
    /// The messages of a page.
    private static let pageSize = 50

    /// Whether the newest page of a conversation has to be loaded.
    package func wantsLoad(_ id: String) -> Bool {
        guard let conversation = state.conversations[id] else { return false }
        return !conversation.isLoaded || incomplete.contains(id)
    }

    func loadRequested() async {
        for await id in loadWork.stream {
            guard connection.isConnected || state.cursor != nil, wantsLoad(id) else { continue }
            countStep(added: 1)
            do {
                try await load(id)
                loadBackoff.reset()
            } catch let error as SessionError where error.isTransient {
                guard connection.isConnected else { continue }
                await pause(loadBackoff.next(retryAfter: error.retryAfter, share: timing.share()), bell: "load")
                loadWork.continuation.yield(id)
            } catch let error as SessionError {
                report(.failure(error))
            } catch let error as StoreError {
                report(.failure(.storage(error)))
            } catch {
                return
            }
            countStep(done: 1)
        }
    }

    /// Shows the newest stored messages of a conversation that is not loaded.
    func showStored(_ id: String) async {
        while let conversation = state.conversations[id], !conversation.isLoaded {
            let (frame, snapshot) = (state.frameCount, snapshotCount)
            guard let page = try? await store.newest(in: id, limit: Self.pageSize) else { return }
            // What came meanwhile may have changed these messages.
            guard frame == state.frameCount, snapshot == snapshotCount else { continue }
            guard !page.messages.isEmpty || !page.hasEarlier && !conversation.members.isEmpty else { return }
            let isShort = page.messages.count < Self.pageSize && page.beginsAtGap
            if isShort || conversation.members.isEmpty { incomplete.insert(id) }
            state.restore(page.messages, hasEarlier: page.hasEarlier, in: id)
            report(.loaded(conversationId: id))
            return
        }
    }

    /// Loads the newest page, the members and the receipts of a conversation.
    ///
    /// What the feed brought meanwhile is newer than the page and stays.
    private func load(_ id: String) async throws {
        let (start, snapshot, revision) = (state.frameCount, snapshotCount, await store.currentRevision)
        let page = try await fetchPage(of: id, "?limit=\(Self.pageSize)")
        // Somebody who only reads an open conversation may see no receipts.
        let receipts: ReceiptList? = try await fetchIfAllowed(path(id, "receipts"))
        let roster: Roster? = try await fetchIfAllowed(path(id))
        guard snapshot == snapshotCount else { return loadAgain(id) }
        if let members = roster?.asInFrames {
            let receipts = receipts?.receipts ?? []
            try await store.set(members: members, receipts: receipts, of: id, askedAt: revision)
            state.set(members: members, receipts: receipts, of: id, askedAt: start)
        }
        try await merge(page, in: id, askedAt: (start, snapshot, revision))
    }

    /// Reads something that the server may refuse; nil if it does.
    private func fetchIfAllowed<Value: Decodable>(_ path: String) async throws(SessionError) -> Value? {
        do throws(SessionError) {
            return try await fetch("GET", path)
        } catch {
            if error.isTransient || error.isSignedOut { throw error }
            return nil
        }
    }

    /// Asks for the newest page again, because what was known of the conversation was dropped meanwhile.
    private func loadAgain(_ id: String) {
        if id == openConversation { loadWork.continuation.yield(id) }
    }

    /// Loads the messages before the known ones of a conversation: stored ones, or a page of the server.
    ///
    /// - Parameter id: A conversation that was loaded.
    /// - Throws: ``SessionError``.
    public func loadEarlier(_ id: String) async throws {
        guard let first = state.conversations[id]?.messages.first else { return }
        let (start, snapshot, revision) = (state.frameCount, snapshotCount, await store.currentRevision)
        let stored: StoredPage
        do throws(StoreError) {
            stored = try await store.page(in: id, before: TimelinePosition(first), limit: Self.pageSize)
        } catch {
            throw SessionError.storage(error)
        }
        if !stored.messages.isEmpty || !stored.hasEarlier {
            guard snapshot == snapshotCount, start == state.frameCount else { return try await loadEarlier(id) }
            state.restore(stored.messages, hasEarlier: stored.hasEarlier, in: id)
            report(.loaded(conversationId: id))
            return
        }
        let page = try await fetchPage(of: id, "?limit=\(Self.pageSize)&before=\(Self.encoded(first.id))")
        try await merge(page, in: id, before: first, askedAt: (start, snapshot, revision))
    }

    /// Returns a page with its messages as in frames, so that one message is the same however it came.
    ///
    /// How far a person's own message has come is in the receipts.
    private func fetchPage(of id: String, _ query: String) async throws(SessionError) -> MessagePage {
        var page: MessagePage = try await fetch("GET", path(id, "messages") + query)
        for place in page.messages.indices { page.messages[place].status = nil }
        return page
    }

    /// Stores a page, and then shows it.
    private func merge(
        _ page: MessagePage, in id: String, before: ChatMessage? = nil,
        askedAt: (frame: Int, snapshot: Int, revision: Int64)
    ) async throws {
        guard askedAt.snapshot == snapshotCount else { return }
        let unloaded = unloadCounts[id]
        do throws(StoreError) {
            let effects = try await store.merge(
                page, in: id, before: before, askedAt: askedAt.revision, user: state.userID)
            guard askedAt.snapshot == snapshotCount, unloadCounts[id] == unloaded, !effects.isStale else {
                take(effects)
                return loadAgain(id)
            }
            if before == nil { incomplete.remove(id) }
            state.merge(page, in: id, askedAt: askedAt.frame)
            take(effects)
            report(.loaded(conversationId: id))
        } catch {
            throw SessionError.storage(error)
        }
    }
}

/// Timelines.
extension NexusSession {
    /// Returns the stored messages of a conversation with the gaps between them, and what was not sent at the end.
    ///
    /// Messages are as they will be when the server has made the edits, deletions and reactions that wait.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - position: The messages are before this place; nil for the newest, and what was not sent.
    ///   - limit: The most messages.
    /// - Returns: Gaps, messages, and what was not sent, in their order.
    /// - Throws: ``SessionError/storage(_:)``.
    public func timeline(
        of id: String, before position: TimelinePosition? = nil, limit: Int = 100
    ) async throws(SessionError) -> [TimelineEntry] {
        var (page, pending): (StoredPage, [OutgoingMessage])
        repeat {
            pending = waitingOrSent(in: id)
            do throws(StoreError) {
                page = try await store.timeline(of: id, before: position, limit: limit)
            } catch {
                throw .storage(error)
            }
            // A message that came back meanwhile is not on this page: it is read again.
        } while position == nil && !Set(pending.map(\.localId)).isSubset(of: waitingOrSent(in: id).map(\.localId))
        pending = waitingOrSent(in: id)
        let expected = expectedChanges(in: id)
        var entries: [TimelineEntry] = []
        var gaps = page.gaps[...]
        for message in page.messages {
            let place = TimelinePosition(message)
            // Two gaps with nothing between them are one.
            if let last = gaps.prefix(while: { $0 <= place }).last {
                entries.append(.gap(last))
                gaps = gaps.drop { $0 <= place }
            }
            if let message = message.after(expected, by: state.userID) { entries.append(.message(message)) }
        }
        if let last = gaps.last { entries.append(.gap(last)) }
        guard position == nil else { return entries }
        let known = Set(page.messages.compactMap(\.localId))
        return entries
            + pending.sorted { Self.isBefore($0.number, $1.number) }.filter { !known.contains($0.localId) }
            .map { .outgoing($0) }
    }

    /// What has not come back yet.
    private func waitingOrSent(in id: String) -> [OutgoingMessage] {
        unconfirmed.values.filter { $0.conversationId == id } + (outgoing[id] ?? [])
    }

    /// Returns the place of a message, which is loaded with those around it if it is not stored.
    func position(of message: String, in id: String) async throws(SessionError) -> TimelinePosition {
        do {
            if let stored = try await store.message(message, in: id) { return TimelinePosition(stored) }
            try await load(around: message, in: id)
            if let stored = try await store.message(message, in: id) { return TimelinePosition(stored) }
        } catch {
            throw Self.error(error)
        }
        throw .refused(status: 404, code: "message_not_found", detail: "", retryAfter: nil)
    }

    /// Returns the place behind `count` stored messages after another; nil for the end of the conversation.
    func end(
        _ count: Int, after position: TimelinePosition, in id: String
    ) async throws(SessionError) -> TimelinePosition? {
        do throws(StoreError) {
            return try await store.position(count, after: position, in: id)
        } catch {
            throw .storage(error)
        }
    }

    /// Loads the messages of a gap, from its end.
    ///
    /// - Parameters:
    ///   - gap: A gap of ``timeline(of:before:limit:)``.
    ///   - id: The conversation.
    /// - Throws: ``SessionError``.
    public func fill(_ gap: TimelinePosition, in id: String) async throws(SessionError) {
        do {
            let asked = (state.frameCount, snapshotCount, await store.currentRevision)
            let next = try await store.message(after: gap, in: id)
            var query = "?limit=\(Self.pageSize)"
            if let next { query += "&before=\(Self.encoded(next.id))" }
            let page = try await fetchPage(of: id, query)
            try await mergeStored(page, in: id, before: next, askedAt: asked)
        } catch {
            throw Self.error(error)
        }
    }

    /// Loads the messages around one, to jump to it; where others are missing there are gaps.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - id: The conversation.
    /// - Throws: ``SessionError``.
    public func load(around message: String, in id: String) async throws(SessionError) {
        _ = try await load("&around=\(Self.encoded(message))", in: id)
    }

    /// Loads the messages around a time, to jump to it; where others are missing there are gaps.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - id: The conversation.
    /// - Returns: The first message from then on; the newest one if all are earlier; nil if there are none.
    /// - Throws: ``SessionError``.
    public func load(at time: Date, in id: String) async throws(SessionError) -> String? {
        let page = try await load("&at=\(Self.encoded(TimeText.text(time)))", in: id)
        return page.firstId ?? page.messages.first?.id
    }

    /// Loads and stores a page around something.
    private func load(_ place: String, in id: String) async throws(SessionError) -> MessagePage {
        do {
            let asked = (state.frameCount, snapshotCount, await store.currentRevision)
            let page = try await fetchPage(of: id, "?limit=\(Self.pageSize)" + place)
            try await mergeStored(page, in: id, before: nil, askedAt: asked)
            return page
        } catch {
            throw Self.error(error)
        }
    }

    /// Stores a page that need not touch the messages in memory.
    private func mergeStored(
        _ page: MessagePage, in id: String, before: ChatMessage?, askedAt: (frame: Int, snapshot: Int, revision: Int64)
    ) async throws {
        let unloaded = unloadCounts[id]
        let effects = try await store.merge(page, in: id, before: before, askedAt: askedAt.revision, user: state.userID)
        take(effects)
        guard !effects.isStale, unloadCounts[id] == unloaded else { return }
        // Messages after the known ones are not here: a page that touches them is merged.
        let known = Set(state.conversations[id]?.messages.map(\.id) ?? [])
        if askedAt.snapshot == snapshotCount, page.messages.contains(where: { known.contains($0.id) }) {
            state.merge(page, in: id, askedAt: askedAt.frame)
        }
        report(.loaded(conversationId: id))
    }

    private static func error(_ error: any Error) -> SessionError {
        switch error {
        case let error as SessionError: error
        case let error as StoreError: .storage(error)
        default: .unavailable
        }
    }
}

/// The reply of `GET /v1/conversations/{id}`.
private struct Roster: Decodable {
    let members: [ChatMember]?

    /// The members without their roles, which frames have in the conversation.
    var asInFrames: [ChatMember]? {
        members?.map { member in
            var member = member
            member.role = nil
            return member
        }
    }
}
