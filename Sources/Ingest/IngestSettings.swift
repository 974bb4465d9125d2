/// How the worker works.
public struct IngestSettings: Hashable, Sendable {
    /// Messages that are claimed and committed together.
    public var batchItemCount: Int
    /// How often the worker looks for retries that are due, when nothing wakes it.
    public var pollInterval: Duration
    /// How long a claim holds; longer than a batch may take with all its retries.
    public var lease: Duration
    /// The longest pause after failures of the service.
    public var pauseLimit: Duration
    /// How often a message is tried whose vector was unusable.
    public var attemptLimit: Int

    /// Makes settings; the defaults suit the built-in encoder and remote services alike.
    public init(
        batchItemCount: Int = 64, pollInterval: Duration = .milliseconds(500), lease: Duration = .seconds(900),
        pauseLimit: Duration = .seconds(15), attemptLimit: Int = 8
    ) {
        self.batchItemCount = batchItemCount
        self.pollInterval = pollInterval
        self.lease = lease
        self.pauseLimit = pauseLimit
        self.attemptLimit = attemptLimit
    }
}
