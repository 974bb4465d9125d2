/// What a person shows of himself or herself to others, besides the name.
public struct Profile: Hashable, Sendable {
    /// The limit of titles.
    public static let titleLimit = TextLimit(characters: 100)
    /// The most people whose profiles are asked for at a time.
    public static let requestLimit = 100

    /// The person.
    public let userID: UserID
    /// What the person does, such as `Head of operations`; nil for none.
    public var title: String?
    /// The IANA name of the time zone in which the person works; nil if others do not see one.
    public var timeZone: String?
    /// Names the picture: the beginning of the SHA-256 of its bytes; nil for none.
    public var pictureID: String?

    public init(userID: UserID, title: String? = nil, timeZone: String? = nil, pictureID: String? = nil) {
        self.userID = userID
        self.title = title
        self.timeZone = timeZone
        self.pictureID = pictureID
    }
}

/// What is shown of a group besides its name.
public struct GroupProfile: Hashable, Sendable {
    /// The group.
    public let conversationID: ConversationID
    /// The person who made it; nil if that is not known, or the person was erased.
    public var creatorID: UserID?
    /// Names the picture; nil for none.
    public var pictureID: String?

    public init(conversationID: ConversationID, creatorID: UserID? = nil, pictureID: String? = nil) {
        self.conversationID = conversationID
        self.creatorID = creatorID
        self.pictureID = pictureID
    }
}

/// The picture of a person or a group: a small square JPEG that this server made.
public struct Picture: Hashable, Sendable {
    /// The width and height, in pixels: twice that of the largest place where a page shows it.
    public static let side = 192
    /// The most bytes of a file from which one is made.
    public static let fileByteLimit = 8 << 20

    /// Names the bytes.
    public let id: String
    /// The bytes of the JPEG.
    public let bytes: [UInt8]

    public init(id: String, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}

/// Why no picture can be made of a file.
public enum PictureError: String, Error, Hashable, Sendable, CaseIterable {
    /// It is neither a PNG nor a JPEG.
    case unknownFormat = "unknown_format"
    /// It has more pixels than are read.
    case tooLarge = "too_large"
    /// It is damaged, or took too long.
    case unreadable
    /// The program that draws it is not installed.
    case notInstalled = "not_installed"
}
