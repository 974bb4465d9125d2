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
