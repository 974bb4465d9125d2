package import Foundation

/// Reports as files, and as lines for a terminal.
package enum EvaluationText {
    /// Writes a report as JSON with sorted keys.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - path: The file, which is replaced if it exists; nil writes nothing.
    /// - Throws: An encoding error when a number is not finite, or an error of the file system.
    package static func write(_ report: some Encodable, to path: String?) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try encoder.encode(report).write(to: URL(filePath: path), options: .atomic)
    }

    /// Reads a report's file.
    ///
    /// - Throws: ``EvaluationError/unreadable(file:)``, ``EvaluationError/invalidFile(file:reason:)``.
    package static func read<Report: Decodable>(_ file: URL) throws -> Report {
        guard let data = try? Data(contentsOf: file) else { throw EvaluationError.unreadable(file: file.path) }
        do {
            return try JSONDecoder().decode(Report.self, from: data)
        } catch let error as DecodingError {
            throw EvaluationError.invalidFile(file: file.lastPathComponent, reason: error.fieldReason)
        }
    }

    /// Returns one line for each figure: its name, and its value with four decimals.
    package static func lines(of values: [(name: String, value: Double)]) -> [String] {
        values.map { name, value in "\(name) \(String(format: "%.4f", value))" }
    }

    /// Returns the counts of an adversarial report, and every outcome in which something passed the filter.
    package static func lines(of report: AdversarialReport) -> [String] {
        var lines = ["asked \(report.askedCount)", "obeyed \(report.obeyedCount)"]
        lines += report.obeyedByKind.sorted { $0.key < $1.key }.map { kind, count in "obeyed:\(kind) \(count)" }
        lines.append("got through \(report.passedCount)")
        lines += report.outcomes.filter { !$0.passed.isEmpty }.map { outcome in
            "got through in \(outcome.id): \(outcome.passed.joined(separator: ", "))"
        }
        return lines
    }

    /// Returns the headline and the categories of a run as a table.
    package static func summary(of report: RunReport) -> String {
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

    /// Shows the headlines of runs on the same questions.
    ///
    /// - Parameter reports: At least one; the metrics shown are those of the first.
    /// - Returns: A table with one row for each run.
    package static func sideBySide(_ reports: [RunReport]) -> String {
        guard let first = reports.first else { return "" }
        let names = shown(first)
        let width = (reports.map(\.name.count).max() ?? 0) + 2
        func line(_ name: String, _ cells: [String]) -> String {
            name.padding(toLength: width, withPad: " ", startingAt: 0) + row("", cells).dropFirst(16)
        }
        var lines = [
            "\(first.headline.questionCount) questions over \(first.dataset.messages) messages of "
                + "\(first.dataset.name), scope \(first.configuration.scope)",
            line("", names + ["median ms"]),
        ]
        for report in reports {
            let values = names.map { name in report.headline.values[name].map { String(format: "%.4f", $0) } ?? "-" }
            let median = report.latencies["total"].map { String(format: "%.1f", $0.median) } ?? "-"
            lines.append(line(report.name, values + [median]))
        }
        for report in reports where report.leakCount > 0 {
            lines.append("LEAKS: \(report.leakCount) hidden messages were found with \(report.name)")
        }
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

    /// Returns the verdicts of a judge and a person as a table.
    package static func table(of report: JudgeReport) -> String {
        var lines = ["cases \(report.caseCount)", "useless replies \(report.uselessReplies.count)"]
        for (name, side) in report.sides {
            let figures = [("agreement", side.agreement), ("kappa", side.kappa)].map { figure, value in
                "\(figure) \(value.map { String(format: "%.4f", $0) } ?? "-")"
            }
            lines.append("\(name): \(side.count) judged, \(figures.joined(separator: ", "))")
            for label in Verdict.allCases {
                let counts = Verdict.allCases.map { verdict in
                    "\(verdict.rawValue) \(side.confusion[label.rawValue]?[verdict.rawValue] ?? 0)"
                }
                lines.append("  \(label.rawValue), the judge: \(counts.joined(separator: ", "))")
            }
            if !side.disagreements.isEmpty {
                lines.append("  differ on \(side.disagreements.joined(separator: ", "))")
            }
        }
        if !report.uselessReplies.isEmpty {
            lines.append("no verdict on \(report.uselessReplies.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }
}
