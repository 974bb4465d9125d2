/// How the worker works.
package struct IngestSettings: Hashable, Sendable {
    /// Whether all leases at the start are those of a process that has ended, because no other one embeds.
    package var ownsLeasesAtStart = true
    /// The most texts of one request; a message with more takes several requests, alternating with other messages.
    package var batchItemCount: Int
    /// The most estimated tokens of one request; a single text may have more.
    package var batchTokenCount: Int
    /// The most concurrent requests for the backlog; new messages may use one more.
    package var concurrency: Int
    /// The longest sleep between two checks of the queue: a changed clock delays work by at most this.
    package var pollInterval: Duration
    /// How long a claim is valid.
    ///
    /// The worker renews its leases after a third of this time, so they need not outlast a request, nor the many
    /// requests of a halved batch. Items that it works on are never given out again, and the items of a dead process
    /// are given out again after this time.
    package var lease: Duration
    /// The longest pause after failures of the store.
    package var pauseLimit: Duration
    /// How often a message with an unusable vector is tried.
    package var attemptLimit: Int
    /// The pause before the second try of such a message; it doubles with each try.
    package var retryDelay: Duration
    /// How many tokens may be embedded per day (UTC) before the backlog waits for the next day; nil for any number.
    package var dailyTokenCap: Int?
    /// The pause before the scale of a space is measured again after a failure; it doubles up to an hour.
    package var scaleDelay = Duration.seconds(60)

    package init(
        batchItemCount: Int = 64, batchTokenCount: Int = 16_000, concurrency: Int = 1,
        pollInterval: Duration = .seconds(60), lease: Duration = .seconds(60),
        pauseLimit: Duration = .seconds(15), attemptLimit: Int = 8, retryDelay: Duration = .seconds(1),
        dailyTokenCap: Int? = nil
    ) {
        self.batchItemCount = batchItemCount
        self.batchTokenCount = batchTokenCount
        self.concurrency = concurrency
        self.pollInterval = pollInterval
        self.lease = lease
        self.pauseLimit = pauseLimit
        self.attemptLimit = attemptLimit
        self.retryDelay = retryDelay
        self.dailyTokenCap = dailyTokenCap
    }

    /// How many messages of a generation are claimed together, so that requests never wait for a claim.
    var pageCount: Int { max(256, 2 * batchItemCount, min(4_096, 2 * concurrency * batchItemCount)) }
    /// The most messages of one transaction, so that posted messages do not wait for long.
    var commitCount: Int { 512 }
}
