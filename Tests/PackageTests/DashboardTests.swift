import Foundation
import Telemetry
import Testing

/// The dashboard asks for nothing that is not measured.
@Suite struct DashboardTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable { var expr: String }
            var id: Int
            var title: String
            var targets: [Target]?
        }
        var panels: [Panel]
    }

    private static func dashboard() throws -> Dashboard {
        try JSONDecoder().decode(
            Dashboard.self, from: Data(contentsOf: root.appending(path: "deploy/grafana-dashboard.json")))
    }

    /// Names of metrics in an expression: what stands before a brace.
    private static func metrics(in expression: String) -> [String] {
        expression.matches(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)\{/).map { String($0.1) }
    }

    /// Names of labels in an expression, in braces and behind `by`.
    private static func labels(in expression: String) -> [String] {
        expression.matches(of: /([a-z_]+)=~?"/).map { String($0.1) }
            + expression.matches(of: /by \(([^)]*)\)/).flatMap { match in
                match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }

    @Test func itAsksOnlyForWhatIsMeasured() throws {
        let samples = Set(Instrument.all.flatMap(\.sampleNames))
        let labels = Set(Instrument.all.flatMap { $0.labels.map(\.name) }).union(["job", "le"])

        for panel in try Self.dashboard().panels {
            for target in panel.targets ?? [] {
                let metrics = Self.metrics(in: target.expr)
                #expect(!metrics.isEmpty, "\(panel.title)")
                #expect(metrics.allSatisfy(samples.contains), "\(panel.title): \(metrics)")
                #expect(Self.labels(in: target.expr).allSatisfy(labels.contains), "\(panel.title): \(target.expr)")
            }
        }
    }

    @Test func itShowsEverythingThatIsMeasured() throws {
        let panels = try Self.dashboard().panels
        let shown = Set(panels.flatMap { ($0.targets ?? []).flatMap { Self.metrics(in: $0.expr) } })

        #expect(Set(panels.map(\.id)).count == panels.count)
        for instrument in Instrument.all {
            #expect(instrument.sampleNames.contains(where: shown.contains), "\(instrument.name) is not shown")
        }
    }
}
