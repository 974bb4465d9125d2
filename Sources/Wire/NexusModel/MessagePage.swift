/// A page of messages, newest first.
public struct MessagePage: Hashable, Sendable, Codable {
    /// The messages.
    public var messages: [ChatMessage]
    /// The `before` of the next page, or the `after` if the page came after a message; nil on the last.
    public var next: String?
    /// Whether there are earlier messages; nil from a server that does not say.
    public var hasOlder: Bool?
    /// Whether there are later messages; nil from a server that does not say.
    public var hasNewer: Bool?
    /// The first unread message, if the page is around it.
    public var firstUnreadId: String?
    /// The first message from the time on, if the page is around a time; nil if all are earlier.
    public var firstId: String?

    public init(
        messages: [ChatMessage], next: String? = nil, hasOlder: Bool? = nil, hasNewer: Bool? = nil,
        firstUnreadId: String? = nil, firstId: String? = nil
    ) {
        self.messages = messages
        self.next = next
        self.hasOlder = hasOlder
        self.hasNewer = hasNewer
        self.firstUnreadId = firstUnreadId
        self.firstId = firstId
    }
}

/// A page of the replies to a message, oldest first.
public struct ReplyPage: Hashable, Sendable, Codable {
    /// The replies.
    public var messages: [ChatMessage]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(messages: [ChatMessage], next: String? = nil) {
        self.messages = messages
        self.next = next
    }
}

/// Everybody who reacted to a message: the reply of `GET …/reactions`.
public struct ReactionList: Hashable, Sendable, Codable {
    /// An emoji with all people who reacted with it.
    public struct Reaction: Hashable, Sendable, Codable {
        /// The emoji, or its short name.
        public var emoji: String
        /// The number of people.
        public var count: Int
        /// The people, in the order of their reactions.
        public var people: [ChatPerson]

        public init(emoji: String, people: [ChatPerson]) {
            self.emoji = emoji
            count = people.count
            self.people = people
        }
    }

    /// The reactions.
    public var reactions: [Reaction]

    public init(reactions: [Reaction]) { self.reactions = reactions }
}

/// People that were found, best first: the reply of `GET /v1/people`.
public struct ChatPeople: Hashable, Sendable, Codable {
    /// The people.
    public var people: [ChatPerson]

    public init(people: [ChatPerson]) {
        self.people = people
    }
}

/// A person with the name to show.
public struct ChatPerson: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// The name.
    public var name: String

    public init(userId: String, name: String) {
        self.userId = userId
        self.name = name
    }
}
