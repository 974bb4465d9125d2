/// A stored file: the reply of `POST /v1/files`.
public struct FileDetails: Hashable, Sendable, Codable, Identifiable {
    /// Its id, for the attachments of a message.
    public var id: String
    /// Its name.
    public var name: String
    /// The media type.
    public var mediaType: String
    /// The size.
    public var byteCount: Int
    /// The digest of its bytes, in hexadecimal digits.
    public var sha256: String

    public init(id: String, name: String, mediaType: String, byteCount: Int, sha256: String) {
        self.id = id
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}

/// How much a person's files take.
public struct FileUseDetails: Hashable, Sendable, Codable {
    /// The person; only for administrators.
    public var userId: String?
    /// The number of files.
    public var count: Int
    /// Their size.
    public var byteCount: Int
    /// The most bytes of one person.
    public var limit: Int

    public init(userId: String? = nil, count: Int, byteCount: Int, limit: Int) {
        self.userId = userId
        self.count = count
        self.byteCount = byteCount
        self.limit = limit
    }
}

/// The people whose files take most, the largest first.
public struct FileUseDetailsList: Hashable, Sendable, Codable {
    /// The people.
    public var people: [FileUseDetails]
    /// The most bytes of all files.
    public var limit: Int

    public init(people: [FileUseDetails], limit: Int) {
        self.people = people
        self.limit = limit
    }
}
