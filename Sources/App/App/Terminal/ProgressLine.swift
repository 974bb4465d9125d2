import ChatCore
import Foundation
import Glibc
import Synchronization

/// Shows the progress of a command: on a terminal a bar that is overwritten, elsewhere a line every few seconds.
struct ProgressLine {
    private static let barWidth = 30

    private let isInteractive: Bool
    private let start = ContinuousClock.now
    private var first: StageProgress?
    private var lastShown: ContinuousClock.Instant?
    private var isOpen = false

    init(isInteractive: Bool = Console.isInteractive) {
        self.isInteractive = isInteractive
    }

    /// Shows a state; on a terminal at most ten times a second, elsewhere every five seconds.
    mutating func show(_ progress: StageProgress) {
        let isNewStage = first?.stage != progress.stage
        if isNewStage {
            close()
            first = progress
        }
        let now = ContinuousClock.now
        let interval: Duration = isInteractive ? .milliseconds(100) : .seconds(5)
        let isDue = lastShown.map { now - $0 >= interval } ?? true
        guard isDue || isNewStage || progress.done >= progress.total else { return }
        lastShown = now
        let text = Self.text(progress, since: first?.done ?? 0, elapsed: now - start)
        if isInteractive {
            Console.write("\r\u{1B}[K" + text, to: STDERR_FILENO)
            isOpen = true
        } else {
            Console.note(text)
        }
    }

    /// Ends the line, so that the next text begins on a new line.
    mutating func close() {
        if isOpen { Console.note("") }
        isOpen = false
    }

    /// Returns the state as text: stage, bar, share, rate, time left, cost.
    static func text(_ progress: StageProgress, since first: Int, elapsed: Duration) -> String {
        let share = progress.total > 0 ? min(1, Double(progress.done) / Double(progress.total)) : 1
        let filled = (share * Double(barWidth)).truncated(to: Int.self) ?? 0
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled)
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = seconds > 0 ? Double(progress.done - first) / seconds : 0
        var text = "\(progress.stage.rawValue) [\(bar)] \(Int(share * 100))%  \(progress.amount(progress.done))"
        text += " of \(progress.amount(progress.total))"
        if rate > 0 {
            text += ", \(progress.amount(rate.truncated(to: Int.self) ?? .max))/s"
            // The total comes from the archive and may be any number.
            let left = (Double(progress.total.subtractingClamped(progress.done)) / rate).rounded(.up)
            if let left = left.truncated(to: Int.self), left > 0 {
                text += ", \(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left"
            }
        }
        if let cost = progress.cost, cost > 0 { text += String(format: ", cost %.4f", cost) }
        return text
    }
}

/// A progress line that any task may draw.
final class SharedProgress: Sendable {
    private let line = Mutex(ProgressLine())

    /// Shows a state.
    func show(_ progress: StageProgress) { line.withLock { $0.show(progress) } }

    /// Ends the line.
    func close() { line.withLock { $0.close() } }
}

extension StageProgress {
    fileprivate func amount(_ count: Int) -> String {
        switch stage {
        case .importing, .searching: "\(count.addingClamped(1_023) / 1_024) KiB"
        case .embedding, .asking, .summarizing, .erasing: "\(count)"
        }
    }
}
