/// Why a snapshot file cannot be written or used; the index in memory is unharmed whenever one is thrown.
public enum SnapshotError: Error, Hashable, Sendable {
    /// There is no file at the path.
    case missing
    /// A call of the system failed with this `errno`.
    case io(operation: String, code: Int32)
    /// The file is something else.
    case notASnapshot
    /// Another version of this library wrote the file.
    case version(found: Int)
    /// The file belongs to another store, or to another generation of it.
    case identity
    /// The file's rows have another form than the index wants: `dimensions` or `codes`.
    case mismatch(field: String)
    /// A part of the file is not what was written: `header`, `table`, `keys`, `codes` and so on.
    case damaged(part: String)
    /// The file ends too early; sizes in bytes.
    case truncated(expected: Int, got: Int)
}
