import Accounts
import Assistant
import ChatCore
import HTTPAPI
import LiveChat
import MessageStore
import Telemetry

/// The live chat: the feed, its connections, and the people on them.
struct LiveChatParts: Sendable {
    /// Tickets for sockets.
    let tickets: FeedTickets
    /// Wakes the clients that follow the feed.
    let feed: FeedHub
    /// Limits and counts their connections.
    let connections: LiveConnections
    /// The people who are connected now.
    let people: LivePeople
    /// Tells other nodes.
    let notices: NodeNotices

    init(_ workspace: Workspace, metrics: MetricRegistry) {
        let services = workspace.store.services
        let connections = LiveConnections(
            settings: workspace.settings.live, buckets: services.buckets, metrics: metrics)
        self.connections = connections
        tickets = FeedTickets(values: services.oneTimeValues)
        feed = FeedHub(store: workspace.store, now: workspace.now)
        people = LivePeople(now: workspace.now, nodes: services.channel) { connections.countDropped($0) }
        notices = NodeNotices(nodes: services.channel)
    }

    /// Forgets texts of messages that another node erased; a listener of the change log.
    func forgetErased(_ changes: [Change]?) {
        if changes?.contains(where: { $0.erasedMessage != nil }) ?? true { connections.forgetFrames() }
    }

    /// Ends the live connections of a person on all nodes, and forgets presence and tickets.
    func disconnect(_ user: UserID) async throws {
        try await tickets.forget(user)
        people.forget(user)
        notices.tell(erased: user)
    }
}

extension AccountService {
    /// The people who sign in here; those who may not any more lose their connections on all nodes.
    init(_ workspace: Workspace, _ live: LiveChatParts) {
        let (connections, notices) = (live.connections, live.notices)
        self.init(
            store: workspace.store, reserved: [MentionSettings.assistantID], now: workspace.now, makeID: randomID,
            disabled: { user in
                connections.close(disabled: [user])
                notices.tell(disabled: user)
            },
            sessionsEnded: { sessions in
                connections.close(sessions)
                notices.tell(ended: sessions)
            })
    }
}
