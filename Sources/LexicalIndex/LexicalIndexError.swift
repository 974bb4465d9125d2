/// Why a search gives no result.
public enum LexicalIndexError: Error, Equatable, Sendable {
    /// A weight of a query is negative, not a number, or out of its range.
    case invalidWeight(name: String)
    /// The task that searches was cancelled.
    case cancelled
}
