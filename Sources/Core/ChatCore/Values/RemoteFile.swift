/// A file of a message that a connector read, whose bytes are still to be fetched from the source.
public struct RemoteFile: Hashable, Sendable {
    /// The room's id in the source.
    public let room: String
    /// The message that has the file.
    public let message: MessageKey
    /// The file's id in the source; see ``Message/Attachment/remoteID``.
    public let id: String
    /// Its name; ``FileName/standard`` if none is known.
    public var name: String
    /// The number of its bytes as the source says; nil if it does not.
    public let byteCount: Int?
    /// The person who sent it: their share of the space counts.
    public let ownerID: UserID
    /// How often it could not be fetched.
    public let failureCount: Int

    public init(
        room: String, message: MessageKey, id: String, name: String, byteCount: Int?, ownerID: UserID, failureCount: Int
    ) {
        self.room = room
        self.message = message
        self.id = id
        self.name = name
        self.byteCount = byteCount
        self.ownerID = ownerID
        self.failureCount = failureCount
    }
}

/// How many files of a room are not here, with the reason if there is one.
public struct RemoteFileCount: Hashable, Sendable {
    /// The room's id in the source.
    public let room: String
    /// Whether they are fetched later.
    public let isWaiting: Bool
    /// The reason why they were not fetched yet, or never are.
    public let problem: FileReading.Problem?
    /// Their number.
    public let count: Int

    public init(room: String, isWaiting: Bool, problem: FileReading.Problem?, count: Int) {
        self.room = room
        self.isWaiting = isWaiting
        self.problem = problem
        self.count = count
    }
}
