import Foundation
import NexusModel

/// Why a connection ends that could go on.
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
        var backoff = Backoff()
        while !Task.isCancelled {
            generation += 1
            set(.connecting)
            var retryAfter: Int?
            var isFault = false
            do {
                try await connect(generation)
            } catch SessionError.signedOut {
                set(.signedOut)
                return
            } catch {
                retryAfter = (error as? SessionError)?.retryAfter
                isFault = error is Interruption || error is DecodingError
            }
            if connection.isConnected, !isFault { backoff.reset() }
            guard !Task.isCancelled else { break }
            set(.offline)
            let wait = backoff.next(retryAfter: retryAfter, share: timing.share())
            guard (try? await timing.sleep(wait)) != nil else { break }
        }
        // Nobody waits for another connection.
        connection = .offline
    }

    /// Takes a snapshot if there is none, and follows the feed until the connection ends.
    private func connect(_ generation: Int) async throws {
        let isFresh = state.cursor == nil
        if isFresh { try await takeSnapshot() }
        guard let cursor = state.cursor else { throw SessionError.unreadable }
        let socket = try await openSocket(after: cursor)
        self.socket = socket
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
        let snapshot: ChatSnapshot = try await fetch("GET", "/v1/sync")
        state.reset(to: snapshot)
        snapshotCount += 1
        // They are in the snapshot.
        for message in unconfirmed.values { confirm(message) }
        report.yield(.restarted)
        if let id = openConversation { loadWork.continuation.yield(id) }
    }

    private func openSocket(after cursor: FeedCursor) async throws -> any ClientSocket {
        let path = "/v1/socket?cursor=\(Self.encoded(cursor.text))&device=\(Self.encoded(device))"
        for isRefresh in [false, true] {
            let request = ClientRequest("GET", path, headers: try await headers(isRefresh: isRefresh))
            do {
                return try await transport.openSocket(request, subprotocol: "nexus.v1")
            } catch ClientTransportError.refused(let response) where response.status == 401 {
                guard tokens != nil, !isRefresh else { throw SessionError.signedOut }
            } catch ClientTransportError.refused(let response) {
                throw Self.error(of: response)
            }
        }
        throw SessionError.signedOut
    }

    private func follow(_ socket: any ClientSocket, _ generation: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await self.keepAlive(generation) }
            group.addTask { await self.acknowledge(generation) }
            group.addTask {
                try await self.timing.sleep(Self.catchUpTime)
                await self.noteLive(generation)
            }
            while let text = try await socket.next() { try take(text) }
        }
    }

    private func noteLive(_ generation: Int) {
        if generation == self.generation, connection == .catchingUp { set(.live) }
    }

    private func take(_ text: String) throws {
        switch try ServerMessage(Data(text.utf8)) {
        case .frame(let frame):
            switch state.apply(frame) {
            case .applied: try note(frame)
            case .known: break
            case .gap: throw Interruption.gap
            }
            set(.live)
        case .heartbeat(let cursor):
            state.move(to: cursor)
            set(.live)
        case .resync: state.forgetCursor()
        case .presence(let people): report.yield(.presence(people))
        case .typing(let typing): report.yield(.typing(typing))
        case .error(let code, let detail):
            report.yield(.failure(.refused(status: 400, code: code, detail: detail, retryAfter: nil)))
        case .unknown: break
        }
    }

    private func note(_ frame: FeedFrame) throws {
        for change in frame.changes {
            if case .message(let message, _) = change {
                guard state.conversations[message.conversationId] != nil else {
                    state.forgetCursor()
                    throw Interruption.incomplete
                }
                reconcile(message)
            }
            if case .conversation(let entry, _, _) = change, entry.id == openConversation {
                loadWork.continuation.yield(entry.id)
            }
            report.yield(.change(change))
        }
        for id in frame.limited ?? [] where id == openConversation { loadWork.continuation.yield(id) }
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

/// Loading.
extension NexusSession {
    /// The messages of a page.
    private static let pageSize = 50

    func loadRequested() async {
        for await id in loadWork.stream {
            guard connection.isConnected || state.cursor != nil, state.conversations[id]?.isLoaded == false else {
                continue
            }
            do {
                try await load(id)
                loadBackoff.reset()
            } catch let error as SessionError where error.isTransient {
                guard connection.isConnected else { continue }
                let wait = loadBackoff.next(retryAfter: error.retryAfter, share: timing.share())
                guard (try? await timing.sleep(wait)) != nil else { return }
                loadWork.continuation.yield(id)
            } catch let error as SessionError {
                report.yield(.failure(error))
            } catch {
                return
            }
        }
    }

    /// Loads the newest page, the members and the receipts of a conversation.
    ///
    /// What the feed brought meanwhile is newer than the page and stays.
    private func load(_ id: String) async throws {
        let (start, snapshot) = (state.frameCount, snapshotCount)
        let page: MessagePage = try await fetch("GET", path(id, "messages") + "?limit=\(Self.pageSize)")
        // Somebody who only reads an open conversation may see no receipts.
        let receipts = try? await fetch("GET", path(id, "receipts")) as ReceiptList
        let roster = try? await fetch("GET", path(id)) as Roster
        guard snapshot == snapshotCount else {
            loadWork.continuation.yield(id)
            return
        }
        if let members = roster?.members {
            state.set(members: members, receipts: receipts?.receipts ?? [], of: id, askedAt: start)
        }
        merge(page, in: id, askedAt: start)
    }

    /// Loads the page before the known messages of a conversation.
    ///
    /// - Parameter id: A conversation that was loaded.
    /// - Throws: ``SessionError``.
    public func loadEarlier(_ id: String) async throws {
        guard let first = state.conversations[id]?.messages.first else { return }
        let (start, snapshot) = (state.frameCount, snapshotCount)
        let page: MessagePage = try await fetch(
            "GET", path(id, "messages") + "?limit=\(Self.pageSize)&before=\(Self.encoded(first.id))")
        guard snapshot == snapshotCount else { return }
        merge(page, in: id, askedAt: start)
    }

    private func merge(_ page: MessagePage, in id: String, askedAt start: Int) {
        state.merge(page, in: id, askedAt: start)
        for message in page.messages { reconcile(message) }
        report.yield(.loaded(conversationId: id))
    }
}

/// The reply of `GET …/receipts`.
private struct ReceiptList: Decodable {
    let receipts: [ChatReceipt]
}

/// The reply of `GET /v1/conversations/{id}`.
private struct Roster: Decodable {
    let members: [ChatMember]?
}
