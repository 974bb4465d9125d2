/// What a person shows of himself or herself: the reply of `GET /v1/profile`.
public struct UserProfile: Hashable, Sendable, Codable {
    /// The person.
    public var userId: String
    /// What the person does.
    public var title: String?
    /// The IANA name of the time zone in which the person works.
    public var timeZone: String?
    /// Names the picture, which `GET /v1/people/{user}/pictures/{picture}` sends.
    public var pictureId: String?

    public init(userId: String, title: String? = nil, timeZone: String? = nil, pictureId: String? = nil) {
        self.userId = userId
        self.title = title
        self.timeZone = timeZone
        self.pictureId = pictureId
    }
}

/// What is shown of a group besides its name.
public struct ChatGroupProfile: Hashable, Sendable, Codable {
    /// The group.
    public var conversationId: String
    /// The person who made it.
    public var createdBy: String?
    /// Names the picture, which `GET /v1/conversations/{conversation}/pictures/{picture}` sends.
    public var pictureId: String?

    public init(conversationId: String, createdBy: String? = nil, pictureId: String? = nil) {
        self.conversationId = conversationId
        self.createdBy = createdBy
        self.pictureId = pictureId
    }
}

/// The profiles of some groups: the reply of `GET /v1/groups`.
public struct ChatGroupProfileList: Hashable, Sendable, Codable {
    /// The groups that the asker sees, by id.
    public var groups: [ChatGroupProfile]

    public init(groups: [ChatGroupProfile]) { self.groups = groups }
}

/// The profiles of some people: the reply of `GET /v1/profiles`.
public struct UserProfileList: Hashable, Sendable, Codable {
    /// The profiles, by user; people without one are left out.
    public var profiles: [UserProfile]

    public init(profiles: [UserProfile]) { self.profiles = profiles }
}
