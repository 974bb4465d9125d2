public import NexusModel
public import Observation

/// Banners over the screen for new messages elsewhere.
///
/// A message of the person, of the open conversation, of a muted one, or one that came before the connection was live
/// has no banner.
@Observable @MainActor public final class NotificationBannerModel: SessionObserver {
    /// A banner.
    public struct Banner: Hashable, Sendable, Identifiable {
        /// Where a tap leads.
        public let place: MessagePlace
        /// The conversation's name.
        public let title: String
        /// Who wrote it.
        public let sender: String
        /// The beginning of the text.
        public let text: String
        let seq: Int64

        public init(place: MessagePlace, title: String, sender: String, text: String, seq: Int64 = 0) {
            self.place = place
            self.title = title
            self.sender = sender
            self.text = text
            self.seq = seq
        }

        /// The place of the message: a message has one banner.
        public var id: MessagePlace { place }
    }

    /// What is on the screen.
    public enum State: Hashable, Sendable {
        /// No banner.
        case hidden
        /// A banner, and those that follow it: at most ``NotificationBannerModel/waitingLimit``.
        case shown(Banner, waiting: [Banner])
    }

    /// The most banners that wait; the oldest one gives way.
    public static let waitingLimit = 3
    /// How long a banner is shown.
    public static let showTime = Duration.seconds(4)

    /// What is on the screen.
    public private(set) var state = State.hidden

    @ObservationIgnored private let hub: SessionHub
    @ObservationIgnored private let navigate: @MainActor (MessagePlace) -> Void
    @ObservationIgnored private var connection: ConnectionState?
    /// Counts banners, so that the time of one does not end another.
    @ObservationIgnored private var number = 0
    /// The newest positions that had a banner, by conversation: a frame may come twice, and edits come later.
    @ObservationIgnored private var newest: [String: Int64] = [:]

    /// - Parameters:
    ///   - hub: The events of the session.
    ///   - navigate: Shows the message of a tapped banner.
    public init(_ hub: SessionHub, navigate: @escaping @MainActor (MessagePlace) -> Void) async {
        self.hub = hub
        self.navigate = navigate
        hub.add(self)
        let present = await hub.session.connection
        if connection == nil { connection = present }
    }

    /// Opens the message of the banner on the screen.
    public func tap() {
        guard case .shown(let banner, _) = state else { return }
        next()
        navigate(banner.place)
    }

    /// Takes the banner from the screen.
    public func dismiss() { next() }

    /// Queues a banner for a new message, and removes those of messages that are read, deleted or no longer readable.
    public func take(_ event: SessionEvent, _ state: ChatState) {
        switch event {
        case .connection(let next):
            connection = next
            if next == .signedOut(.person) { (self.state, number) = (.hidden, number + 1) }
        case .change(.message(let message, _)): consider(message, state)
        case .change(.deletion(let conversation, let message, _)):
            let place = MessagePlace(conversationId: conversation, messageId: message)
            remove { $0.place == place }
        case .change(.conversation(let entry, _, _)):
            // Its messages may be gone because they may no longer be read.
            let known = state.conversations[entry.id]?.messages ?? []
            remove { banner in
                banner.place.conversationId == entry.id && !known.contains { $0.id == banner.place.messageId }
            }
        case .change(.departure(let conversation)): remove { $0.place.conversationId == conversation }
        case .change(.receipt(let receipt, let conversation)) where receipt.userId == state.userID:
            remove { $0.place.conversationId == conversation && $0.seq <= receipt.readSeq }
        default: break
        }
        if let open = hub.openConversation { remove { $0.place.conversationId == open } }
    }

    private func consider(_ message: ChatMessage, _ state: ChatState) {
        let id = message.conversationId
        guard let seq = message.seq, seq > newest[id] ?? 0 else { return }
        newest[id] = seq
        guard connection == .live, message.editedAt == nil, message.senderId != state.userID,
            id != hub.openConversation,
            let place = state.conversations[id], !place.entry.preferences.muted, seq > place.readSeq
        else { return }
        add(
            Banner(
                place: MessagePlace(conversationId: id, messageId: message.id), title: place.entry.name,
                sender: message.senderName, text: String(message.text.prefix(150)), seq: seq))
    }

    private func add(_ banner: Banner) {
        switch state {
        case .hidden: show(banner, waiting: [])
        case .shown(let present, var waiting):
            // Of several in one conversation the last waits.
            waiting.removeAll { $0.place.conversationId == banner.place.conversationId }
            waiting.append(banner)
            state = .shown(present, waiting: waiting.suffix(Self.waitingLimit))
        }
    }

    private func show(_ banner: Banner, waiting: [Banner]) {
        number += 1
        state = .shown(banner, waiting: waiting)
        hub.after(Self.showTime) { [weak self, number] in
            if let self, number == self.number { self.next() }
        }
    }

    private func next() {
        guard case .shown(_, let waiting) = state else { return }
        guard let first = waiting.first else {
            number += 1
            state = .hidden
            return
        }
        show(first, waiting: Array(waiting.dropFirst()))
    }

    private func remove(where isGone: (Banner) -> Bool) {
        guard case .shown(let banner, let waiting) = state else { return }
        let rest = waiting.filter { !isGone($0) }
        if rest != waiting { state = .shown(banner, waiting: rest) }
        if isGone(banner) { next() }
    }
}
