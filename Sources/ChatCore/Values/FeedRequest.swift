/// The part of the change log that one reader asks for.
public struct FeedRequest: Hashable, Sendable {
    public var reader: UserID
    public var range: FeedRange

    public init(reader: UserID, range: FeedRange) {
        self.reader = reader
        self.range = range
    }
}
