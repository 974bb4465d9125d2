import Foundation

/// The subject of a ``NodeID``: one process that works on a shared store.
public enum Node {}

/// The id of a process that works on a shared store; each start has a new one.
public typealias NodeID = Identifier<Node>

/// Short texts between the nodes that share a store, and the nodes that live.
///
/// A text may be lost, late, doubled or out of order, and is stored nowhere: what must not be lost belongs in the store.
public protocol NodeChannel: Sendable {
    /// This node.
    var node: NodeID { get }

    /// Whether there can be other nodes; if not, nobody needs to make texts for them.
    var reachesOthers: Bool { get }

    /// Sends a text to all other nodes; returns at once.
    ///
    /// A text that is longer than ``NodeText/byteLimit`` or contains a NUL is dropped. If many wait, the oldest are
    /// dropped.
    func send(_ text: String, about topic: NodeTopic)

    /// Calls a listener with all news from now on, one after another; it must return quickly.
    func listen(_ listener: @escaping @Sendable (NodeNews) -> Void)
}

/// The channel of a node that has its store for itself: it sends nothing, and never has news.
public struct LocalNodeChannel: NodeChannel {
    /// A random name.
    public let node = NodeID(rawValue: UUID().uuidString.lowercased())
    /// Always false.
    public let reachesOthers = false

    /// Makes the channel.
    public init() {}

    /// Does nothing.
    public func send(_ text: String, about topic: NodeTopic) {}

    /// Does nothing: the listener is never called.
    public func listen(_ listener: @escaping @Sendable (NodeNews) -> Void) {}
}

/// What a text is about.
public enum NodeTopic: String, Hashable, Sendable, CaseIterable {
    /// Who is online.
    case presence
    case typing
    /// Parts of answers that are made at present.
    case answers
    /// Sessions that ended.
    case sessions
    /// Erased people.
    case erasures
    /// People whose accounts were disabled.
    case disabled
}

/// A text of another node.
public struct NodeText: Hashable, Sendable {
    /// The most bytes of a text, in UTF-8.
    public static let byteLimit = 7_000

    /// The node that says it.
    public let sender: NodeID
    /// Who is to hear it.
    public let topic: NodeTopic
    /// What it says, in the words of its topic.
    public let text: String

    /// Creates a text.
    public init(sender: NodeID, topic: NodeTopic, text: String) {
        self.sender = sender
        self.topic = topic
        self.text = text
    }
}

/// News of the other nodes.
public enum NodeNews: Hashable, Sendable {
    case text(NodeText)
    /// The other nodes that live; reported every few seconds, also if nothing changed.
    case living(Set<NodeID>)
}
