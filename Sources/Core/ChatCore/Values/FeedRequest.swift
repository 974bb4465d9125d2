/// The part of the change log that one reader asks for.
public struct FeedRequest: Hashable, Sendable {
    /// The reader.
    public var reader: UserID
    /// The part.
    public var range: FeedRange

    public init(reader: UserID, range: FeedRange) {
        self.reader = reader
        self.range = range
    }
}
