public import Foundation
public import NexusModel
public import Observation

/// The list of a person's conversations.
@Observable @MainActor public final class ConversationListModel: SessionObserver {
    /// A line of the list.
    public struct Row: Hashable, Sendable, Identifiable {
        /// The conversation.
        public let id: String
        /// Its name; of a direct one, the other's.
        public let name: String
        /// Whether it is between two people.
        public let isDirect: Bool
        /// The beginning of the newest message; nil before the first.
        public let excerpt: String?
        /// Who wrote it.
        public let sender: String?
        /// The time of the newest message.
        public let activeAt: Date
        /// Unread messages of others, at most 100.
        public let unreadCount: Int
        /// Those that mention the person.
        public let mentionCount: Int
        /// Whether it is at the top.
        public let isPinned: Bool
        /// Whether new messages come without notice.
        public let isMuted: Bool
        /// Whether it is kept apart.
        public let isArchived: Bool

        public init(
            id: String, name: String, isDirect: Bool = false, excerpt: String? = nil, sender: String? = nil,
            activeAt: Date, unreadCount: Int = 0, mentionCount: Int = 0, isPinned: Bool = false,
            isMuted: Bool = false, isArchived: Bool = false
        ) {
            self.id = id
            self.name = name
            self.isDirect = isDirect
            self.excerpt = excerpt
            self.sender = sender
            self.activeAt = activeAt
            self.unreadCount = unreadCount
            self.mentionCount = mentionCount
            self.isPinned = isPinned
            self.isMuted = isMuted
            self.isArchived = isArchived
        }
    }

    /// What the list shows.
    public enum State: Hashable, Sendable {
        /// The first snapshot has not come.
        case loading
        /// The conversations: pinned ones first, then by last activity.
        case loaded([Row])
        /// The person has signed out.
        case signedOut
    }

    /// The list.
    public private(set) var state = State.loading
    /// What failed last; nil once it was dismissed.
    public private(set) var failure: ErrorSentence?
    /// Words that the names of shown conversations contain.
    public var filter = ""

    @ObservationIgnored private let hub: SessionHub

    /// - Parameter hub: The events of the session.
    public init(_ hub: SessionHub) async {
        self.hub = hub
        hub.add(self)
        let known = await hub.session.state
        if known.cursor != nil, case .loading = state { show(known) }
    }

    /// The conversations that ``filter`` selects, without archived ones unless the filter has words.
    public var rows: [Row] {
        guard case .loaded(let rows) = state else { return [] }
        let words = filter.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        guard !words.isEmpty else { return rows.filter { !$0.isArchived } }
        return rows.filter { row in
            let name = row.name.lowercased()
            return words.allSatisfy { name.contains($0) }
        }
    }

    /// The number on the badge: unread messages of conversations that are not muted, and mentions in muted ones.
    public var badgeCount: Int {
        guard case .loaded(let rows) = state else { return 0 }
        return rows.reduce(0) { $0 + ($1.isMuted ? $1.mentionCount : $1.unreadCount) }
    }

    /// Returns the direct conversation with a person; nil if that failed.
    public func openDirect(with user: String) async -> String? {
        await attempt { session throws(SessionError) in try await session.openDirect(with: user) }
    }

    /// Makes a group and returns its id; nil if that failed.
    public func createGroup(_ name: String, members: [String]) async -> String? {
        await attempt { session throws(SessionError) in try await session.createGroup(name, members: members) }
    }

    /// Changes the person's own settings of a conversation, for example that it is pinned.
    public func changePreferences(of conversation: String, _ body: @Sendable (inout ChatPreferences) -> Void) async {
        do throws(SessionError) {
            try await hub.session.changePreferences(of: conversation, body)
        } catch {
            failure = error.sentence
        }
    }

    /// Takes the failure from the screen.
    public func dismissFailure() { failure = nil }

    /// Shows the list again if the event changed it.
    public func take(_ event: SessionEvent, _ state: ChatState) {
        switch event {
        case .connection(.signedOut(.person)):
            (self.state, filter, failure) = (.signedOut, "", nil)
        case .restarted, .change, .loaded: show(state)
        // A cancelled run reports nothing more: what it left out is read.
        case .connection(.offline) where state.cursor != nil: show(state)
        case .connection, .presence, .typing, .answerPiece, .outgoing, .outgoingChange, .progress, .failure: break
        }
    }

    private func attempt(
        _ action: (NexusSession) async throws(SessionError) -> String
    ) async -> String? {
        do throws(SessionError) {
            return try await action(hub.session)
        } catch {
            failure = error.sentence
            return nil
        }
    }

    private func show(_ known: ChatState) {
        guard state != .signedOut else { return }
        let next = State.loaded(known.list.map { Row($0, for: known.userID) })
        if next != state { state = next }
    }
}

extension ConversationListModel.Row {
    init(_ place: ConversationState, for user: String?) {
        let entry = place.entry
        let newest = place.messages.last
        id = entry.id
        name = entry.name
        isDirect = entry.kind == .direct
        excerpt = newest.map { String($0.text.prefix(150)) } ?? entry.lastMessage?.text
        sender = newest?.senderName ?? entry.lastMessage?.senderName
        activeAt = place.activeAt
        unreadCount = place.unreadCount(for: user)
        mentionCount = place.mentionCount(for: user)
        isPinned = entry.preferences.pinned
        isMuted = entry.preferences.muted
        isArchived = entry.preferences.archived
    }
}
