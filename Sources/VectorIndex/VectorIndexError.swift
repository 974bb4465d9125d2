/// What a caller's input or the machine can do wrong; the index is unchanged whenever one is thrown.
public enum VectorIndexError: Error, Equatable, Sendable {
    /// A vector has another number of components than the index.
    case dimensionMismatch(expected: Int, got: Int)
    /// A vector's length is zero or below the least normal `Float`, so it has no direction.
    case zeroVector
    /// The component at this position is NaN or infinite.
    case notFinite(component: Int)
    /// Memory for rows could not be had.
    case outOfMemory(byteCount: Int)
    /// A block of the snapshot file in the search's scope is not what was written; see ``CosineIndex/damagedRows()``.
    case damaged
    /// The task that searches was cancelled.
    case cancelled
}
