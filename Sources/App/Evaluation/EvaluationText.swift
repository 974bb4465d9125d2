import ChatCore
import Evaluation
import Foundation
import Retrieval
import Synchronization

/// Reports as the commands read and show them.
enum EvaluationText {
    /// Reads a report.
    static func report(at path: String) throws -> RunReport {
        try RunReport(file: URL(filePath: path))
    }

    /// Writes a report as JSON where a file is given.
    static func write(_ report: some Encodable, to path: String?) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try encoder.encode(report).write(to: URL(filePath: path), options: .atomic)
    }

    /// Prints figures, one a line.
    static func show(_ values: [(name: String, value: Double)]) {
        for (name, value) in values { Console.print("\(name) \(String(format: "%.4f", value))") }
    }

    /// The headline and the categories as a table.
    static func summary(of report: RunReport) -> String {
        let names = shown(report)
        var lines = [
            "\(report.name): \(report.headline.questionCount) questions over \(report.dataset.messages) messages, "
                + "scope \(report.configuration.scope), settings \(report.configuration.hash.prefix(12))",
            row("", names) + "  questions",
        ]
        func add(_ name: String, _ summary: MetricSummary) {
            let values = names.map { name in
                summary.values[name].map { String(format: "%.4f", $0) } ?? "-"
            }
            lines.append(row(name, values) + "  \(summary.questionCount)")
        }
        add("all", report.headline)
        for (name, summary) in report.categories.sorted(by: { $0.key < $1.key }) { add(name, summary) }
        if let adversarial = report.adversarial { add("adversarial", adversarial) }
        if let total = report.latencies["total"] {
            lines.append(
                String(format: "a question took %.1f ms (median), %.1f ms (p95)", total.median, total.p95))
        }
        if report.leakCount > 0 { lines.append("LEAKS: \(report.leakCount) hidden messages were found") }
        return lines.joined(separator: "\n")
    }

    private static func shown(_ report: RunReport) -> [String] {
        report.cutoffs.flatMap { ["recall@\($0)"] }
            + ["hit@10", "nDCG@10", "MRR", "capped-recall@10"].filter {
                report.headline.values[$0] != nil
            }
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        let padded = cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(1, 16 - name.count)) + padded.joined()
    }
}

extension RetrievalSettings {
    /// The settings as a report keeps them.
    func runConfiguration(_ scope: SearchSystem.Scope) throws -> RunConfiguration {
        RunConfiguration(
            value: try JSONDecoder().decode(JSONValue.self, from: encoded()), hash: fingerprint, scope: scope.rawValue)
    }
}

/// A progress line that may be drawn from any task.
final class SharedProgress: Sendable {
    private let line = Mutex(ProgressLine())

    /// Shows a state.
    func show(_ progress: StageProgress) { line.withLock { $0.show(progress) } }

    /// Ends the line.
    func close() { line.withLock { $0.close() } }
}
