import NexusClient
import NexusModel

/// Shows what happens in a session, and does what a person enters.
actor ChatDesk {
    /// The most messages that are shown when a conversation is opened.
    private static let openedCount = 20

    let session: NexusSession
    let terminal: LineTerminal
    /// The conversations by their numbers in the last list.
    var listed: [String] = []
    var opened: String?
    var presences: [String: ChatPresence] = [:]
    /// Ends with the first snapshot.
    private let ready = AsyncStream.makeStream(of: Void.self)
    private var hasSnapshot = false
    private var isConnected: Bool?
    /// Whether the person leaves: that the connection ends is no news then.
    private var isLeaving = false
    /// The texts and reactions on the screen, by message.
    private var shown: [String: [String]] = [:]
    /// The frame that was shown last.
    private var shownFrame = 0
    private var shownReaders: [Int] = []

    init(session: NexusSession, terminal: LineTerminal) { (self.session, self.terminal) = (session, terminal) }

    /// Waits until the conversations are known; false if that does not happen any more.
    func waitUntilReady() async -> Bool {
        for await _ in ready.stream {}
        return hasSnapshot
    }

    /// Stays silent about the end of the connection.
    func leave() { isLeaving = true }

    /// Shows events until the session ends; returns whether it was signed out.
    func show(_ events: AsyncStream<SessionEvent>) async -> Bool {
        var isSignedOut = false
        for await event in events {
            if case .connection(.signedOut) = event { isSignedOut = true }
            await show(event)
        }
        ready.continuation.finish()
        return isSignedOut
    }

    private func show(_ event: SessionEvent) async {
        switch event {
        case .connection(let state) where state == .live || state == .offline:
            guard !isLeaving, isConnected != (state == .live) else { return }
            isConnected = state == .live
            terminal.note(state == .live ? "connected" : "reconnecting…")
        case .restarted:
            if !hasSnapshot { await list() }
            hasSnapshot = true
            ready.continuation.finish()
        case .change(let change):
            if change.conversationId == opened { await show(change) } else { await showElsewhere(change) }
        case .loaded(let id): if id == opened { await showMessages() }
        case .presence(let people): for person in people { presences[person.userId] = person }
        case .outgoing(let message):
            guard case .failed(let error) = message.state else { return }
            terminal.note("not sent: \(Self.text(error))")
            await session.discard(message)
        case .outgoingChange(let change):
            guard case .failed(let error) = change.state else { return }
            terminal.note("not changed: \(Self.text(error))")
            await session.discard(change)
        case .failure(let error): terminal.note(Self.text(error))
        case .connection, .typing, .answerPiece, .progress: break
        }
    }

    private func show(_ change: FeedChange) async {
        switch change {
        case .deletion(_, let message, let seq):
            if shown.removeValue(forKey: message) != nil { terminal.print("\(seq.map { "\($0)" } ?? "-") deleted") }
        case .departure:
            opened = nil
            await session.open(nil)
            terminal.note("you are no longer a member of this conversation")
        default: await showMessages()
        }
    }

    /// Shows in one line that something happened in another conversation.
    private func showElsewhere(_ change: FeedChange) async {
        let state = await session.state
        guard case .message(let message, _) = change, let place = state.conversations[message.conversationId],
            message.editedAt == nil, message.senderId != state.userID, !place.entry.preferences.muted
        else { return }
        if !listed.contains(place.entry.id) { listed.append(place.entry.id) }
        let (number, count) = (listed.firstIndex(of: place.entry.id) ?? 0, place.unreadCount(for: state.userID))
        if count > 0 { terminal.note("\(number + 1). \(Console.line(place.entry.name)): \(count) unread") }
    }

    /// Shows the conversations with their numbers.
    func list() async {
        let state = await session.state
        listed = state.list.map(\.entry.id)
        if listed.isEmpty { terminal.note("no conversations; /new opens one") }
        for (number, place) in zip(1..., state.list) {
            let (unread, mentions) = (place.unreadCount(for: state.userID), place.mentionCount(for: state.userID))
            let counts = mentions > 0 ? "\(unread) unread, \(mentions) mentions" : "\(unread) unread"
            terminal.print("\(number). \(Console.line(place.entry.name))" + (unread > 0 ? " (\(counts))" : ""))
        }
    }

    /// Puts a conversation on the screen.
    func show(conversation id: String) async {
        (opened, shown, shownReaders) = (id, [:], [])
        let name = await session.state.conversations[id]?.entry.name
        if let name { terminal.note("— \(Console.line(name)) —") }
        await session.open(id)
        await showMessages()
    }

    /// Shows the messages of the open conversation that are new or changed, in their order, and who has read them.
    func showMessages() async {
        let state = await session.state
        guard let id = opened, let place = state.conversations[id], place.isLoaded, state.frameCount >= shownFrame
        else { return }
        shownFrame = state.frameCount
        let isFirst = shown.isEmpty
        for (number, message) in place.messages.enumerated() {
            let reactions = message.reactions.filter { !$0.userIds.isEmpty }.map { " \($0.emoji) \($0.userIds.count)" }
            let last = shown.updateValue([message.text] + reactions, forKey: message.id)
            if isFirst, number < place.messages.count - Self.openedCount { continue }
            let seq = message.seq.map { "\($0)" } ?? "-"
            if last?[0] != message.text {
                let files = message.attachments.map { " [\($0.name)]" }.joined()
                let end = (message.editedAt == nil ? "" : " (edited)") + reactions.joined()
                terminal.print("\(seq) " + Console.line("\(message.senderName): \(message.text)\(files)\(end)"))
            } else if let last, last[1...] != reactions[...] {
                terminal.print("\(seq) reactions:" + Console.line(reactions.joined()))
            }
        }
        if let last = place.messages.last, (last.seq ?? 0) > place.readSeq { await session.markRead(last.id, in: id) }
        if isFirst { await session.watch(place.members.map(\.userId)) }
        guard let own = state.userID, let seq = place.messages.last(where: { $0.senderId == own })?.seq else { return }
        let (readers, members) = place.readers(of: seq, sender: own)
        let next = [Int(clamping: seq), readers, members]
        if next != shownReaders, readers > 0 { terminal.note("\(seq) read by \(readers) of \(members)") }
        shownReaders = next
    }

    static func text(_ error: SessionError) -> String {
        guard case .refused(_, _, let detail, _) = error, !detail.isEmpty else { return error.sentence.text }
        return Console.line(detail)
    }
}
