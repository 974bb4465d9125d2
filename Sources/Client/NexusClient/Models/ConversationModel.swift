public import NexusModel
public import Observation

/// A conversation on the screen.
///
/// It shows a window of what is stored: the newest messages, or those around a jump.
@Observable @MainActor public final class ConversationModel: SessionObserver {
    /// What the screen shows.
    public enum State: Hashable, Sendable {
        /// Nothing is known yet.
        case loading
        /// Messages in their order, gaps, and at the end of the newest ones what this device sends.
        case loaded([ConversationEntry])
        /// The person does not see the conversation; what was written to it and not sent can be retried or discarded.
        case gone(unsent: [OutgoingMessage])
        /// The person has signed out.
        case signedOut
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
        /// The position of the last message that the member read.
        public let readSeq: Int64
        /// The position of the last message that reached a device of the member.
        public let deliveredSeq: Int64
        /// The head of the conversation when the member joined.
        public let joinedSeq: Int64

        public init(id: String, name: String, readSeq: Int64, deliveredSeq: Int64 = 0, joinedSeq: Int64 = 0) {
            self.id = id
            self.name = name
            self.readSeq = readSeq
            self.deliveredSeq = deliveredSeq
            self.joinedSeq = joinedSeq
        }
    }

    /// How far a message of the person has come.
    public enum Delivery: Hashable, Sendable, Comparable {
        /// The server has it.
        case sent
        /// It reached a device of one other member.
        case delivered
        /// One other member has read it.
        case read
    }

    /// The part of a conversation that is shown.
    struct Window: Equatable {
        static let pageSize = 50

        /// The messages are before this place; nil for the newest.
        var end: TimelinePosition?
        /// The most messages.
        var limit = pageSize
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
    /// Edits, deletions and reactions that the server has not made; refused ones can be retried or discarded.
    public internal(set) var changes: [OutgoingChange] = []
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
    /// Whether the server knows that the person does not see the conversation.
    @ObservationIgnored private var isGone = false
    /// The part that is shown.
    @ObservationIgnored var window = Window()
    /// The first messages are directly behind this gap.
    @ObservationIgnored var firstGap: TimelinePosition?
    @ObservationIgnored var isKeepingDraft = false
    @ObservationIgnored private var hasDraft = false
    /// The numbers of the last read that began, and of the last one that is shown.
    @ObservationIgnored private var reads = (begun: 0, shown: 0)
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
        let known = await hub.session.state
        // What happened while this waited is newer.
        if !hasTaken { show(known) }
        await refresh()
    }

    var session: NexusSession { hub.session }

    /// Shows the conversation again if the event concerns it.
    public func take(_ event: SessionEvent, _ state: ChatState) {
        switch event {
        case .restarted: window = Window()
        case .change(let change):
            guard change.conversationId == id else { return }
            follow(change)
        case .loaded(let conversation): guard conversation == id else { return }
        case .outgoing(let message):
            guard message.conversationId == id else { return }
        case .typing(let typing):
            if typing.conversationId == id { follow(typing, in: state) }
            return
        case .failure(let error):
            if hub.openConversation == id { failure = error.sentence }
            return
        case .connection(.signedOut(.person)): return empty()
        case .connection(let connection):
            // A cancelled run reports nothing more: what it left out is read.
            guard !connection.isConnected, connection != .connecting else { return }
        case .outgoingChange(let change):
            guard change.conversationId == id else { return }
            if case .failed(let error) = change.state { failure = error.sentence }
        case .presence, .answerPiece, .progress: return
        }
        hasTaken = true
        show(state)
        hub.refresh(self)
    }

    /// Shows nothing of the person who has signed out.
    private func empty() {
        (place, user, window, firstGap, target, failure) = (nil, nil, Window(), nil, nil, nil)
        isGone = false
        (typing, typists, readers, changes, unreadCount, name) = ([], [], [], [], 0, "")
        composer = Composer()
        state = .signedOut
    }

    private func follow(_ change: FeedChange) {
        switch change {
        case .message(let message, _):
            typing.removeAll { $0.user == message.senderId }
            // The first messages stay on the screen when others come.
            if window.end == nil, !isShown(message.id) { window.limit += 1 }
        default: break
        }
    }

    private func follow(_ sign: ChatTyping, in state: ChatState) {
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

    private func show(_ known: ChatState) {
        guard state != .signedOut else { return }
        user = known.userID
        isGone = known.cursor != nil && known.conversations[id] == nil
        guard let next = known.conversations[id] else {
            place = nil
            return
        }
        place = next
        if name != next.entry.name { name = next.entry.name }
        let count = next.unreadCount(for: user)
        if unreadCount != count { unreadCount = count }
        let people = next.receipts.values.sorted { $0.userId < $1.userId }.map {
            Reader(
                id: $0.userId, name: next.name(of: $0.userId), readSeq: $0.readSeq,
                deliveredSeq: $0.deliveredSeq, joinedSeq: $0.joinedSeq)
        }
        if readers != people { readers = people }
        showTypists()
    }

    /// Reads the entries of the window.
    func refresh() async {
        if isGone { return await showUnsent() }
        guard place != nil else { return }
        await restoreDraft()
        reads.begun += 1
        let number = reads.begun
        var (window, timeline) = (window, [TimelineEntry]())
        var (waiting, after) = ([OutgoingChange](), [OutgoingChange]())
        repeat {
            window = self.window
            waiting = await session.waitingChanges(in: id)
            do throws(SessionError) {
                // One more, to know whether there are earlier ones.
                timeline = try await session.timeline(of: id, before: window.end, limit: window.limit + 1)
            } catch {
                failure = error.sentence
                return
            }
            after = await session.waitingChanges(in: id)
            // The lines have to fit the changes.
        } while window != self.window || waiting != after
        guard number > reads.shown, let place else { return }
        reads.shown = number
        if waiting != changes { changes = waiting }
        let entries: [ConversationEntry]
        (entries, firstGap) = ConversationEntry.entries(of: timeline, in: window)
        let isEmpty = entries.allSatisfy { if case .gap = $0 { true } else { false } }
        let next: State = isEmpty && !place.isLoaded ? .loading : .loaded(entries)
        if next != state { state = next }
    }

    private func showUnsent() async {
        let unsent = await session.waiting(in: id)
        if isGone { state = .gone(unsent: unsent) }
    }

    func isShown(_ message: String) -> Bool {
        guard case .loaded(let entries) = state else { return false }
        return entries.contains { $0.id == .message(message) }
    }

    /// Shows what the person had begun to write, once.
    private func restoreDraft() async {
        guard !hasDraft else { return }
        hasDraft = true
        guard let draft = await session.drafts[id] else { return }
        var original: ChatMessage?
        if let message = draft.replyTo { original = try? await session.store.message(message, in: id) }
        guard composer == Composer() else { return }
        composer = Composer(draft: draft.text, mode: original.map { .reply(to: $0) } ?? .new)
    }
}

extension ConversationModel {
    /// Returns the members who have read a message of the person; those who joined later do not count.
    public func readers(of message: ChatMessage) -> [Reader] {
        guard let seq = message.seq else { return [] }
        return readers.filter { $0.id != message.senderId && $0.joinedSeq < seq && $0.readSeq >= seq }
    }

    /// Returns how far a message of the person has come; nil for one of somebody else, or one of the history.
    public func delivery(of message: ChatMessage) -> Delivery? {
        guard let seq = message.seq, message.senderId == user else { return nil }
        let others = readers.filter { $0.id != message.senderId && $0.joinedSeq < seq }
        if others.contains(where: { $0.readSeq >= seq }) { return .read }
        return others.contains { $0.deliveredSeq >= seq } ? .delivered : .sent
    }
}
