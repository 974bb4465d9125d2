/// The settings of searches; none of them changes a result.
struct ScanSettings: Sendable {
    /// The most threads that one search uses, the calling one included.
    let threadCount: Int
    /// The threads besides the calling one, shared by all running searches; they end with the last snapshot.
    let pool: ThreadPool
    /// Scopes with fewer rows are scanned in Float32, because that takes less time than encoding the query.
    let codeRowMinimum: Int
    /// Codes are read if the scope holds at least this many rows for each wanted hit: otherwise too many rows would
    /// have to be read twice.
    let codeRowsPerHit: Int

    init(threadCount: Int, codeRowMinimum: Int = 128, codeRowsPerHit: Int = 8) {
        self.threadCount = threadCount
        self.codeRowMinimum = codeRowMinimum
        self.codeRowsPerHit = codeRowsPerHit
        pool = ThreadPool(threadCount: threadCount - 1)
    }

    /// Settings for tests: codes are read for any number of rows.
    static func codesAlways(threadCount: Int) -> ScanSettings {
        ScanSettings(threadCount: threadCount, codeRowMinimum: 1, codeRowsPerHit: 1)
    }
}

/// The data that a search reads first.
package enum ScanKind: Sendable {
    /// Codes if that is faster.
    case fastest
    /// Float32 rows only.
    case floats
    /// Codes if the index has any; few rows are scanned in the same way as many.
    case codes
}

/// The threads of a search, and its cancellation.
struct ScanContext: Sendable {
    /// Threads that may help.
    let helpers: ThreadCrew
    /// The most helpers of one search.
    let helperCount: Int
    /// Whether the result is no longer wanted; called on any thread, before every chunk of rows.
    let isCancelled: @Sendable () -> Bool
}

extension ScanSettings {
    /// For a search on the caller's thread: ends when the caller's task is cancelled.
    var callersContext: ScanContext {
        ScanContext(helpers: pool.crew, helperCount: threadCount - 1) { Task.isCancelled }
    }
}
