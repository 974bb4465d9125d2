/// How an index searches; no setting changes a result.
struct ScanSettings: Sendable {
    /// The most threads that one search uses, the calling one included.
    let threadCount: Int
    /// The threads beside the calling one, shared by all searches that run at a time; they end with the last snapshot.
    let pool: ThreadPool
    /// Scopes with fewer rows are scanned in Float32: reading so few rows takes less time than encoding the query.
    let codeRowMinimum: Int
    /// A scope must hold so many times as many rows as hits are wanted before codes are read: of fewer rows too many
    /// would have to be read twice.
    let codeRowsPerHit: Int

    init(threadCount: Int, codeRowMinimum: Int = 128, codeRowsPerHit: Int = 8) {
        self.threadCount = threadCount
        self.codeRowMinimum = codeRowMinimum
        self.codeRowsPerHit = codeRowsPerHit
        pool = ThreadPool(threadCount: threadCount - 1)
    }

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
    /// Codes wherever there are any, those of few rows in the same way as those of many.
    case codes
}

/// Who works on a search, and until when.
struct ScanContext: Sendable {
    /// Threads that may help.
    let helpers: ThreadCrew
    /// The most of them that one search takes.
    let helperCount: Int
    /// Whether nobody wants the result any more; asked on any thread, before every chunk of rows.
    let isCancelled: @Sendable () -> Bool
}

extension ScanSettings {
    /// A search on the caller's thread: ends when the caller's task is cancelled.
    var callersContext: ScanContext {
        ScanContext(helpers: pool.crew, helperCount: threadCount - 1) { Task.isCancelled }
    }
}
