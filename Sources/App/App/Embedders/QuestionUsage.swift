import Assistant
import ChatCore
import ServiceLifecycle

/// The usage of questions: what services used to embed them, and the tokens that each user took.
struct QuestionUsage: Sendable {
    /// Counts what is not stored yet.
    let meter = QuestionMeter()
    /// The most tokens of each user per day; nil for no limit.
    let allowance: TokenAllowance?
    private let queue: any WorkQueue
    private let now: @Sendable () -> Timestamp

    init(queue: any WorkQueue, allowance: TokenAllowance?, now: @escaping @Sendable () -> Timestamp) {
        (self.queue, self.allowance, self.now) = (queue, allowance, now)
    }

    /// Stores the usage since the last call; if the store fails, it is kept for the next call.
    func store() async throws {
        try await allowance?.save()
        let usage = meter.takeAll()
        guard !usage.isEmpty else { return }
        do {
            try await queue.countQuestions(usage, at: now())
        } catch {
            meter.add(usage)
            throw error
        }
    }
}

/// Stores the usage of questions after a few seconds, so that a crash loses little; the rest is stored when the data
/// folder is closed.
struct QuestionUsageWriter: Service {
    private static let interval = Duration.seconds(10)

    let usage: QuestionUsage

    func run() async throws {
        let signals = [usage.meter.changed, usage.allowance?.changed].compactMap { $0 }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for signal in signals {
                    group.addTask {
                        await signal.repeating(failed: { _ in }) {
                            guard signal.count > 0 else { return nil }
                            try await Task.sleep(for: Self.interval)
                            try await usage.store()
                            return nil
                        }
                    }
                }
            }
        }
    }
}
