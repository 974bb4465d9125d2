/// When the rows of an index are worth a new snapshot file.
///
/// A start reads what changed after its file from the store, some 30,000 rows a second, and everything when there is
/// none; a file costs a write of all rows.
public struct SnapshotPolicy: Sendable {
    /// Smaller indexes are read from the store within a moment.
    public var rowMinimum = 10_000
    /// The part of the rows that must have changed while the index is in use: 0...1.
    ///
    /// While a history is embedded a row is written eleven times on average.
    public var changedPart = 0.1
    /// The same at the end of the process, when it is the next start that waits.
    public var changedPartAtEnd = 0.01
    /// How long no word must have been erased before a file of words is written; not waited for at the end.
    ///
    /// Each erasure deletes the whole file, so that in a row of them all files but the last would be for nothing.
    public var quietTime = Duration.seconds(30)

    /// Makes the policy that suits a server.
    public init() {}

    /// Returns whether a file is due.
    package func isDue(rowCount: Int, changedCount: Int, atEnd: Bool) -> Bool {
        let part = atEnd ? changedPartAtEnd : changedPart
        return rowCount >= rowMinimum && changedCount > 0 && Double(changedCount) >= Double(rowCount) * part
    }

    /// Returns whether the last erasure is long enough ago; nil when there was none.
    package func isQuiet(sinceErasure age: Duration?) -> Bool {
        age.map { $0 >= quietTime } ?? true
    }
}
