/// How an index searches; no setting changes a result.
struct ScanSettings: Sendable {
    /// The most threads that one search uses, the calling one included.
    var threadCount = 1
    /// Scopes with fewer rows are scanned in Float32: reading so few rows takes less time than encoding the query.
    var codeRowMinimum = 128
    /// A scope must hold so many times as many rows as hits are wanted before codes are read: of fewer rows too many
    /// would have to be read twice.
    var codeRowsPerHit = 8

    /// Codes are read however few rows there are, so that tests meet them.
    static func codesAlways(threadCount: Int) -> ScanSettings {
        ScanSettings(threadCount: threadCount, codeRowMinimum: 1, codeRowsPerHit: 1)
    }
}

/// Which rows a search reads first.
package enum ScanKind: Sendable {
    /// Codes where that pays.
    case fastest
    /// Float32 rows only.
    case floats
    /// Codes wherever there are any.
    case codes
}
