/// The part of the change log that one reader asks for.
package struct FeedRequest: Hashable, Sendable {
    /// The reader.
    package var reader: UserID
    /// The part.
    package var range: FeedRange

    package init(reader: UserID, range: FeedRange) {
        self.reader = reader
        self.range = range
    }
}
