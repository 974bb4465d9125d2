import ChatCore
import Foundation
import UseCases

extension Rendering {
    static func show(_ reports: [GenerationReport]) {
        for report in reports {
            var line = "generation \(report.number) (\(report.state.rawValue)): \(report.provider) \(report.model), "
            line += "\(report.dimensions) dimensions"
            if let address = report.baseURL { line += ", \(address)" }
            Console.print(line)
            let queue = report.queue
            Console.print(
                "  embedded: \(queue.embeddedCount) of \(queue.embeddableCount) messages "
                    + "(\(hundredths(report.coverage * 100)) %), waiting: \(queue.pendingCount), "
                    + "given up: \(queue.failedCount)")
            if report.tokenCount > 0 {
                Console.print("  tokens: \(report.tokenCount)\(report.cost.map { ", cost \(hundredths($0))" } ?? "")")
            }
            if let since = report.since { Console.print("  messages since \(since) only") }
            if report.state == .filling, report.switchShare < 1 {
                Console.print("  serves when \(hundredths(report.switchShare * 100)) % are embedded")
            }
            if let rate = report.fillRate {
                Console.print("  at most \(hundredths(rate)) messages a second")
            }
        }
        if reports.isEmpty { Console.print("nothing embedded yet") }
    }

    static func show(_ estimate: ReembeddingEstimate) {
        Console.print("model: \(estimate.model)\(estimate.baseURL.map { " at \($0)" } ?? "")")
        Console.print("messages: \(estimate.messageCount), passages: \(estimate.passageCount)")
        if estimate.embeddedCount > 0 { Console.print("embedded already: \(estimate.embeddedCount)") }
        Console.print("tokens, estimated: \(estimate.tokenCount)")
        Console.print("cost: \(estimate.cost.map { hundredths($0) } ?? "unknown, see embedding.price-per-million")")
    }

    static func show(_ comparison: GenerationComparison) {
        Console.print("questions: \(comparison.questions.count), other first ten: \(comparison.differingCount)")
        if comparison.skippedCount > 0 { Console.print("skipped, nothing to search: \(comparison.skippedCount)") }
        Console.print("overlap@10: \(thousandths(comparison.overlap))")
        Console.print("rank correlation (Kendall's tau): \(comparison.rankCorrelation.map(thousandths) ?? "none")")
        guard let first = comparison.firstRecall, let second = comparison.secondRecall else { return }
        Console.print(
            "recall@10 of \(comparison.evidencedCount) questions: \(thousandths(first)) with generation "
                + "\(comparison.first), \(thousandths(second)) with generation \(comparison.second)")
    }

    private static func hundredths(_ value: Double) -> String { String(format: "%.2f", value) }
    private static func thousandths(_ value: Double) -> String { String(format: "%.3f", value) }
}
