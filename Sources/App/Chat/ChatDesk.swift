import NexusClient
import NexusModel

/// Shows what happens in a session, and does what a person enters.
actor ChatDesk {
    /// What of a message is on the screen.
    private struct Shown: Equatable {
        var text: String
        var reactions: String
    }

    /// The most messages that are shown when a conversation is opened.
    private static let openedCount = 20

    let session: NexusSession
    let terminal: ChatTerminal
    /// The conversations by their numbers in the last list.
    var listed: [String] = []
    var opened: String?
    var presences: [String: ChatPresence] = [:]
    /// Ends the wait for the first snapshot.
    private let ready = AsyncStream.makeStream(of: Void.self)
    private var hasSnapshot = false
    private var isConnected: Bool?
    private var shown: [String: Shown] = [:]
    /// The frame that was shown last.
    private var shownFrame = 0
    private var typists: Set<String> = []
    private var shownReaders: [Int] = []
    private var watched: [String] = []

    init(session: NexusSession, terminal: ChatTerminal) {
        self.session = session
        self.terminal = terminal
    }

    /// Waits until the conversations are known; false if that does not happen any more.
    func waitUntilReady() async -> Bool {
        if hasSnapshot { return true }
        for await _ in ready.stream { return true }
        return hasSnapshot
    }

    /// Shows events until the session ends; returns whether it was signed out.
    func showEvents() async -> Bool {
        var isSignedOut = false
        for await event in session.events {
            if event == .connection(.signedOut) { isSignedOut = true }
            await show(event)
        }
        ready.continuation.finish()
        return isSignedOut
    }

    private func show(_ event: SessionEvent) async {
        switch event {
        case .connection(let connection): show(connection)
        case .restarted:
            if !hasSnapshot { await list() }
            hasSnapshot = true
            ready.continuation.yield()
        case .change(let change): await show(change)
        case .loaded(let id): if id == opened { await showMessages() }
        case .presence(let people): for person in people { presences[person.userId] = person }
        case .typing(let typing): await show(typing)
        case .outgoing(let message):
            guard case .failed(let error) = message.state else { return }
            terminal.note("not sent: \(Self.text(error))")
            await session.discard(message)
        case .outgoingChange(let change):
            guard case .failed(let error) = change.state else { return }
            terminal.note("not changed: \(Self.text(error))")
            await session.discard(change)
        case .progress: break
        case .failure(let error): terminal.note(Self.text(error))
        }
    }

    private func show(_ connection: ConnectionState) {
        switch connection {
        case .live where isConnected != true:
            isConnected = true
            terminal.note("connected")
        case .offline where isConnected != false:
            isConnected = false
            terminal.note("reconnecting…")
        default: break
        }
    }

    private func show(_ change: FeedChange) async {
        guard let id = change.conversationId else { return }
        guard id == opened else { return await showElsewhere(change) }
        switch change {
        case .deletion(_, let message, let seq):
            guard shown.removeValue(forKey: message) != nil else { return }
            terminal.print("\(seq.map { "\($0)" } ?? "-") deleted")
        case .departure:
            opened = nil
            await session.open(nil)
            terminal.note("you are no longer a member of this conversation")
        case .message(let message, _):
            typists.remove(message.senderId)
            await showMessages()
        default: await showReceipts()
        }
    }

    /// Shows in one line that something happened in another conversation.
    private func showElsewhere(_ change: FeedChange) async {
        let state = await session.state
        guard case .message(let message, _) = change, let place = state.conversations[message.conversationId],
            message.editedAt == nil, message.senderId != state.userID, !place.entry.preferences.muted
        else { return }
        let count = place.unreadCount(for: state.userID)
        guard count > 0 else { return }
        if !listed.contains(message.conversationId) { listed.append(message.conversationId) }
        let number = listed.firstIndex(of: message.conversationId).map { $0 + 1 } ?? 0
        terminal.note("\(number). \(Self.safe(place.entry.name)): \(count) unread")
    }

    private func show(_ typing: ChatTyping) async {
        guard typing.conversationId == opened else { return }
        guard typing.milliseconds > 0 else {
            typists.remove(typing.userId)
            return
        }
        guard typists.insert(typing.userId).inserted else { return }
        let name = await session.state.conversations[typing.conversationId]?.name(of: typing.userId)
        terminal.note("\(Self.safe(name ?? typing.userId)) types…")
    }

    /// Shows the conversations with their numbers.
    func list() async {
        let state = await session.state
        let list = state.list
        listed = list.map(\.entry.id)
        if list.isEmpty { terminal.note("no conversations; /new opens one") }
        for (number, place) in list.enumerated() {
            let (unread, mentions) = (place.unreadCount(for: state.userID), place.mentionCount(for: state.userID))
            var line = "\(number + 1). \(Self.safe(place.entry.name))"
            if unread > 0 { line += " (\(unread) unread" + (mentions > 0 ? ", \(mentions) mentions)" : ")") }
            terminal.print(line)
        }
    }

    /// Puts a conversation on the screen.
    func show(conversation id: String) async {
        (opened, shown, typists, shownReaders) = (id, [:], [], [])
        let name = await session.state.conversations[id]?.entry.name
        if let name { terminal.note("— \(Self.safe(name)) —") }
        await session.open(id)
        await showMessages()
    }

    /// Shows the messages of the open conversation that are new or changed, in their order.
    func showMessages() async {
        let state = await session.state
        guard let id = opened, let place = state.conversations[id], place.isLoaded, state.frameCount >= shownFrame
        else {
            return
        }
        shownFrame = state.frameCount
        let isFirst = shown.isEmpty
        for (number, message) in place.messages.enumerated() {
            let next = Shown(text: message.text, reactions: Self.reactions(of: message))
            let last = shown.updateValue(next, forKey: message.id)
            if isFirst, number < place.messages.count - Self.openedCount { continue }
            if last?.text != next.text {
                terminal.print(Self.line(message))
            } else if let last, last.reactions != next.reactions {
                terminal.print("\(Self.number(message)) reactions: \(Self.safe(next.reactions))")
            }
        }
        if let last = place.messages.last, (last.seq ?? 0) > place.readSeq { await session.markRead(last.id, in: id) }
        let people = place.members.map(\.userId)
        if people != watched {
            watched = people
            await session.watch(people)
        }
        await showReceipts()
    }

    /// Shows how many have read the person's last message, when that changes.
    private func showReceipts() async {
        let state = await session.state
        guard let id = opened, let place = state.conversations[id], let own = state.userID,
            let seq = place.messages.last(where: { $0.senderId == own && $0.seq != nil })?.seq
        else { return }
        let (readers, members) = place.readers(of: seq, sender: own)
        let next = [Int(clamping: seq), readers, members]
        guard next != shownReaders else { return }
        let isNews = readers > 0
        shownReaders = next
        if isNews { terminal.note("\(seq) read by \(readers) of \(members)") }
    }
}

/// Texts.
extension ChatDesk {
    /// Returns a foreign text without characters that a terminal takes for commands.
    ///
    /// Further lines are indented, so that nobody takes them for other messages.
    static func safe(_ text: String) -> String {
        let scalars = Console.printable(text).unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            // Direction marks and separators of lines.
            case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars)).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n    ")
    }

    static func number(_ message: ChatMessage) -> String { message.seq.map { "\($0)" } ?? "-" }

    static func line(_ message: ChatMessage) -> String {
        var line = "\(number(message)) \(safe(message.senderName)): \(safe(message.text))"
        for file in message.attachments { line += " [\(safe(file.name))]" }
        if message.editedAt != nil { line += " (edited)" }
        let reactions = reactions(of: message)
        return reactions.isEmpty ? line : line + " \(safe(reactions))"
    }

    private static func reactions(of message: ChatMessage) -> String {
        message.reactions.filter { !$0.userIds.isEmpty }.map { "\($0.emoji) \($0.userIds.count)" }
            .joined(separator: " ")
    }

    static func text(_ error: SessionError) -> String {
        switch error {
        case .unavailable: "the server cannot be reached"
        case .refused(let status, let code, let detail, _):
            safe(detail.isEmpty ? code.isEmpty ? "the server answered \(status)" : code : detail)
        case .signedOut: "the server does not accept the token"
        case .storage(.inUse): "another program uses the store: name another file with --store"
        case .storage(.full): "the disk of this computer is full"
        case .storage(.damaged): "the store is damaged: remove its file, or name another with --store"
        case .storage(.newer): "the store was written by a later version: update this program"
        case .storage(.foreign): "the store belongs to another person or server: name another file with --store"
        case .storage: "the store cannot be read or written"
        case .unreadable: "the reply of the server cannot be read: use the same version of both programs"
        }
    }
}
