public import NexusModel
public import Observation

/// A conversation on the screen.
@Observable @MainActor public final class ConversationModel: SessionObserver {
    /// What the screen shows.
    public enum State: Hashable, Sendable {
        /// Nothing is known yet.
        case loading
        /// Messages in their order, gaps, and at the end what this device sends.
        case loaded([ConversationEntry])
        /// The person sees the conversation no longer.
        case gone
    }

    /// What the person writes.
    public struct Composer: Hashable, Sendable {
        /// What becomes of the draft.
        public enum Mode: Hashable, Sendable {
            /// A message.
            case new
            /// A reply to a message.
            case reply(to: ChatMessage)
            /// The new text of a message; what was in the composer before comes back afterwards.
            case edit(ChatMessage, draftBefore: String)
        }

        /// The text.
        public var draft = ""
        /// What becomes of it.
        public internal(set) var mode = Mode.new

        package init(draft: String = "", mode: Mode = .new) {
            self.draft = draft
            self.mode = mode
        }
    }

    /// A member, and how far he or she has read.
    public struct Reader: Hashable, Sendable, Identifiable {
        /// The member.
        public let id: String
        /// The member's name.
        public let name: String
        let readSeq: Int64
        let joinedSeq: Int64
    }

    /// The conversation.
    public nonisolated let id: String
    /// What the screen shows.
    public internal(set) var state = State.loading
    /// Its name; of a direct conversation, the other's.
    public internal(set) var name = ""
    /// The names of the others who type.
    public internal(set) var typists: [String] = []
    /// The members, and how far they have read; empty while that is not known.
    public internal(set) var readers: [Reader] = []
    /// Unread messages of others, at most 100.
    public internal(set) var unreadCount = 0
    /// What the person writes.
    public var composer = Composer()
    /// The message that was jumped to.
    public internal(set) var target: String?
    /// What failed last; nil once it was dismissed.
    public internal(set) var failure: ErrorSentence?

    @ObservationIgnored let hub: SessionHub
    @ObservationIgnored var user: String?
    @ObservationIgnored var place: ConversationState?
    @ObservationIgnored var island: MessageIsland?
    @ObservationIgnored private var echoes: [OutgoingMessage] = []
    /// Who types, with a number that tells one sign from the next.
    @ObservationIgnored private var typing: [(user: String, number: Int)] = []
    @ObservationIgnored private var typingCount = 0
    @ObservationIgnored private var hasTaken = false

    /// - Parameters:
    ///   - hub: The events of the session.
    ///   - id: The conversation.
    public init(_ hub: SessionHub, id: String) async {
        self.hub = hub
        self.id = id
        hub.add(self)
        let (known, waiting) = (await hub.session.state, await hub.session.waiting(in: id))
        let early = waiting.filter { message in !echoes.contains { $0.localId == message.localId } }
        echoes.insert(contentsOf: early, at: 0)
        // What happened while this waited is newer.
        if hasTaken { showEntries() } else { show(known) }
    }

    var session: NexusSession { hub.session }

    public func take(_ event: SessionEvent, _ state: ChatState) {
        switch event {
        case .restarted: island = nil
        case .change(let change):
            guard change.conversationId == id else { return }
            note(change)
        case .loaded(let conversation): guard conversation == id else { return }
        case .outgoing(let message):
            guard message.conversationId == id else { return }
            note(message)
        case .typing(let typing):
            if typing.conversationId == id { note(typing, in: state) }
            return
        case .failure(let error):
            if hub.openConversation == id { failure = error.sentence }
            return
        case .connection, .presence, .outgoingChange, .progress: return
        }
        hasTaken = true
        show(state)
    }

    private func note(_ change: FeedChange) {
        switch change {
        case .message(let message, _):
            island?.replace(message)
            typing.removeAll { $0.user == message.senderId }
        case .deletion(_, let message, _): island?.remove(message)
        default: break
        }
    }

    private func note(_ message: OutgoingMessage) {
        let place = echoes.firstIndex { $0.localId == message.localId }
        switch (message.state, place) {
        case (.confirmed, let place?), (.discarded, let place?): echoes.remove(at: place)
        case (.confirmed, nil), (.discarded, nil): break
        case (_, let place?): echoes[place] = message
        case (_, nil): echoes.append(message)
        }
    }

    private func note(_ sign: ChatTyping, in state: ChatState) {
        typing.removeAll { $0.user == sign.userId }
        if sign.milliseconds > 0 {
            typingCount += 1
            let number = typingCount
            typing.append((sign.userId, number))
            hub.after(.milliseconds(sign.milliseconds)) { [weak self] in
                self?.typing.removeAll { $0.number == number }
                self?.showTypists()
            }
        }
        showTypists()
    }

    private func showTypists() {
        let names = typing.map { sign in place?.name(of: sign.user) ?? sign.user }
        if names != typists { typists = names }
    }

    /// Forgets what was discarded.
    func keepEchoes(_ waiting: [OutgoingMessage], not gone: OutgoingMessage) {
        guard !waiting.contains(where: { $0.localId == gone.localId }) else { return }
        echoes.removeAll { $0.localId == gone.localId }
        showEntries()
    }

    private func show(_ known: ChatState) {
        user = known.userID
        guard let next = known.conversations[id] else {
            if known.cursor != nil { state = .gone }
            return
        }
        place = next
        let arrived = Set(next.messages.filter { $0.senderId == user }.compactMap(\.localId))
        echoes.removeAll { arrived.contains($0.localId) }
        if name != next.entry.name { name = next.entry.name }
        let count = next.unreadCount(for: user)
        if unreadCount != count { unreadCount = count }
        let people = next.receipts.values.sorted { $0.userId < $1.userId }.map {
            Reader(id: $0.userId, name: next.name(of: $0.userId), readSeq: $0.readSeq, joinedSeq: $0.joinedSeq)
        }
        if readers != people { readers = people }
        showTypists()
        showEntries()
    }

    func showEntries() {
        guard let place else { return }
        let entries = ConversationEntry.entries(of: place, island: island, echoes: echoes)
        let next: State = place.isLoaded || !entries.isEmpty ? .loaded(entries) : .loading
        if next != state { state = next }
    }
}

extension ConversationModel {
    /// Returns the members who have read a message of the person; those who joined later do not count.
    public func readers(of message: ChatMessage) -> [Reader] {
        guard let seq = message.seq else { return [] }
        return readers.filter { $0.id != message.senderId && $0.joinedSeq < seq && $0.readSeq >= seq }
    }
}
