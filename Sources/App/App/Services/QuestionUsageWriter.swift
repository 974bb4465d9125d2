import Assistant
import ChatCore
import ServiceLifecycle

/// Stores the usage of questions after a few seconds, so that a crash loses little; the rest is stored when the data
/// folder is closed.
struct QuestionUsageWriter: Service {
    private static let interval = Duration.seconds(10)

    let workspace: Workspace

    func run() async throws {
        let signals = [workspace.questionMeter.changed, workspace.assistant.allowance?.changed].compactMap { $0 }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for signal in signals {
                    group.addTask {
                        await signal.repeating(failed: { _ in }) {
                            guard signal.count > 0 else { return nil }
                            try await Task.sleep(for: Self.interval)
                            try await workspace.storeQuestionUsage()
                            return nil
                        }
                    }
                }
            }
        }
    }
}
