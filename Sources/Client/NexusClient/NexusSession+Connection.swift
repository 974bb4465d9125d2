import Foundation
import NexusModel

/// The reason to end a working connection.
private enum Interruption: Error {
    /// A frame is missing.
    case gap
    /// A conversation is unknown.
    case incomplete
}

/// The one loop that connects.
extension NexusSession {
    /// After what time without a frame a resumed connection counts as up to date: what was missed comes first.
    private static let catchUpTime = Duration.seconds(1)

    func stayConnected() async {
        while !Task.isCancelled, !isEnding {
            generation += 1
            isNetworkNew = false
            set(.connecting)
            var retryAfter: Int?
            var isFault = false
            do {
                try await connect(generation)
            } catch SessionError.signedOut(let reason) {
                set(.signedOut(reason))
                return
            } catch {
                retryAfter = (error as? SessionError)?.retryAfter
                isFault = error is Interruption || error is DecodingError || error is StoreError
                if let error = error as? StoreError, !isEnding { report(.failure(.storage(error))) }
            }
            if connection.isConnected, !isFault { connectBackoff.reset() }
            guard !Task.isCancelled else { break }
            set(.offline)
            let wait = connectBackoff.next(retryAfter: retryAfter, share: timing.share())
            // A server that asks for time gets it, whatever network there is.
            if isNetworkNew, retryAfter == nil { continue }
            await pause(wait, bell: "")
        }
    }

    /// Says that the network may be another one: what waits for another attempt tries at once.
    ///
    /// Call it when the system reports another path, or when the app comes to the front.
    public func networkChanged() {
        connectBackoff.reset()
        loadBackoff.reset()
        sendBackoffs = [:]
        isNetworkNew = true
        for bell in bells.values { bell.yield() }
    }

    /// Waits, or until a bell rings.
    func pause(_ wait: Duration, bell name: String) async {
        let (stream, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bells[name] = bell
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [timing] in try? await timing.sleep(wait) }
            group.addTask { for await _ in stream { return } }
            await group.next()
            group.cancelAll()
        }
        bells[name] = nil
    }

    /// Takes a snapshot if there is none, and follows the feed until the connection ends.
    private func connect(_ generation: Int) async throws {
        let isFresh = state.cursor == nil
        if isFresh { try await takeSnapshot() }
        guard let cursor = state.cursor else { throw SessionError.unreadable }
        let socket = try await openSocket(after: cursor)
        guard !isEnding else { return await socket.close() }
        self.socket = socket
        if !isFresh { setProgress(CatchUpProgress(done: 0, count: 1)) }
        set(isFresh ? .live : .catchingUp)
        let result: Result<Void, any Error>
        do {
            try await follow(socket, generation)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        self.socket = nil
        await socket.close()
        try result.get()
    }

    private func takeSnapshot() async throws {
        // The server had stored these before: they are in the snapshot.
        let sent = unconfirmed.keys.sorted()
        let snapshot: ChatSnapshot = try await fetch("GET", "/v1/sync")
        let effects = try await store.reset(to: snapshot, sent: sent)
        guard !isEnding else { throw SessionError.signedOut(.person) }
        state.reset(to: snapshot)
        snapshotCount += 1
        incomplete = []
        made = [:]
        forgetDeparted()
        take(effects)
        report(.restarted)
        if let id = openConversation { loadWork.continuation.yield(id) }
    }

    private func setProgress(_ next: CatchUpProgress?) {
        progress = next
        if let next { report(.progress(next)) }
    }

    /// Counts a step of what was missed.
    func countStep(done: Int = 0, added: Int = 0) {
        guard var next = progress else { return }
        next.done += done
        next.count += added
        setProgress(next)
        if next.done >= next.count { progress = nil }
    }

    /// Drops what belongs to conversations that the person has left.
    private func forgetDeparted() {
        drafts = drafts.filter { state.conversations[$0.key] != nil || hasWork(in: $0.key) }
        readMarks = readMarks.filter { state.conversations[$0.key] != nil }
    }

    private func openSocket(after cursor: FeedCursor) async throws -> any ClientSocket {
        let path = "/v1/socket?cursor=\(Self.encoded(cursor.text))&device=\(Self.encoded(device))"
        var refused: String?
        for isRefresh in [false, true] {
            let headers = try await headers(refused: refused)
            let request = ClientRequest("GET", path, headers: headers)
            do {
                return try await transport.openSocket(request, subprotocol: "nexus.v1")
            } catch ClientTransportError.refused(let response) {
                guard response.status == 401, tokens != nil, !isRefresh else { throw Self.error(of: response) }
                refused = Self.token(in: headers)
            }
        }
        throw SessionError.signedOut(.tokenRefused)
    }

    private func follow(_ socket: any ClientSocket, _ generation: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await self.keepAlive(generation) }
            group.addTask { await self.acknowledge(generation) }
            group.addTask {
                try await self.timing.sleep(Self.catchUpTime)
                await self.announceLive(generation)
            }
            while let text = try await socket.next() { try await take(text) }
        }
    }

    private func announceLive(_ generation: Int) {
        if generation == self.generation, connection == .catchingUp { becomeLive() }
    }

    private func becomeLive() {
        if connection == .catchingUp { countStep(done: 1) }
        set(.live)
    }

    private func take(_ text: String) async throws {
        switch try ServerMessage(Data(text.utf8)) {
        case .frame(let frame):
            switch state.outcome(of: frame) {
            case .applied: try await commit(frame)
            case .known: break
            case .gap: throw Interruption.gap
            }
            becomeLive()
        case .heartbeat(let cursor):
            if state.move(to: cursor) { try await store.move(to: cursor) }
            becomeLive()
        case .resync: state.forgetCursor()
        case .presence(let people): report(.presence(people))
        case .typing(let typing): report(.typing(typing))
        case .answerPiece(let piece): report(.answerPiece(piece))
        case .error(let code, let detail):
            report(.failure(.refused(status: 400, code: code, detail: detail, retryAfter: nil)))
        case .unknown: break
        }
    }

    /// Stores a frame, and then shows it.
    private func commit(_ frame: FeedFrame) async throws {
        var known = Set(state.conversations.keys)
        for case .conversation(let entry, _, _) in frame.changes { known.insert(entry.id) }
        for case .message(let message, _) in frame.changes where !known.contains(message.conversationId) {
            state.forgetCursor()
            throw Interruption.incomplete
        }
        let effects = try await store.apply(
            frame, user: state.userID, notifications: state.notifications(after: frame.changes))
        guard !isEnding else { throw SessionError.signedOut(.person) }
        _ = state.apply(frame)
        for case .message(let message, _) in frame.changes where state.userID == nil {
            if let id = message.localId, effects.confirmed.contains(id) { state.userID = message.senderId }
        }
        take(effects)
        for change in frame.changes { follow(change) }
        for id in frame.limited ?? [] {
            unloadCounts[id, default: 0] += 1
            if id == openConversation { loadWork.continuation.yield(id) }
        }
    }

    private func follow(_ change: FeedChange) {
        switch change {
        case .message(let message, _): forgetMade(of: message.id, in: message.conversationId)
        case .deletion(let id, let message, _): forgetMade(of: message, in: id)
        case .conversation(let entry, _, _) where entry.id == openConversation && wantsLoad(entry.id):
            loadWork.continuation.yield(entry.id)
        case .departure(let id):
            drafts[id] = nil
            readMarks[id] = nil
            made[id] = nil
            // The server refuses what waits, so that the person sees it.
            if outgoing[id] != nil { sendWork.continuation.yield(id) }
        default: break
        }
        report(.change(change))
    }

    /// Says every 25 s that the person is there; begins with what a new connection does not know.
    private func keepAlive(_ generation: Int) async {
        if let id = openConversation { await tell(ClientMessage(type: "open", conversationId: id)) }
        if !watched.isEmpty { await tell(ClientMessage(type: "watch", userIds: watched)) }
        while generation == self.generation {
            await tell(ClientMessage(type: "active", active: true))
            guard (try? await timing.sleep(.seconds(25))) != nil else { return }
        }
    }

    /// Acknowledges what was received, at most every 2 s.
    private func acknowledge(_ generation: Int) async {
        var last: FeedCursor?
        while generation == self.generation {
            if let cursor = state.cursor, cursor != last {
                last = cursor
                await tell(ClientMessage(type: "ack", cursor: cursor))
            }
            guard (try? await timing.sleep(.seconds(2))) != nil else { return }
        }
    }
}
