import ChatCore
import Foundation
import Ingest

extension Rendering {
    /// Shows what an import would bring.
    static func show(_ summary: HistorySummary) {
        for file in summary.files {
            let entry = file.entry.map { " (\($0))" } ?? ""
            Console.print(Console.printable("\(file.path)\(entry): \(file.format.rawValue)"))
        }
        for place in summary.conversations { Console.print(Console.printable(line(of: place))) }
        Console.print(
            "would import: \(summary.messageCount) messages in \(summary.conversations.count) conversations "
                + "of \(summary.peopleCount) people")
        let deletedCount = summary.conversations.reduce(0) { $0 + $1.deletedCount }
        if deletedCount > 0 { Console.print("deleted: \(deletedCount) messages, taken without their text") }
        show(skipped: summary.skipped)
        if summary.rejectedItems > 0 { Console.print("not taken: \(summary.rejectedItems)") }
        let cost = summary.cost.map { String(format: ", cost about %.2f", $0) } ?? ""
        Console.print("to embed: about \(summary.tokenCount) tokens\(cost)")
    }

    /// Shows what is left out on purpose.
    static func show(skipped: [SkipReason: Int]) {
        for (reason, count) in skipped.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            Console.print("left out: \(count) \(reason.text)")
        }
    }

    private static func line(of place: HistorySummary.Place) -> String {
        let kind = place.visibility == .everyone ? "open" : place.kind?.rawValue ?? "unknown"
        let days = [place.first, place.last].compactMap { $0.map { String($0.iso8601.prefix(10)) } }
        let span = days.isEmpty ? "" : ", \(days.joined(separator: " to "))"
        let name = place.name.map { " \"\($0)\"" } ?? ""
        return "  \(place.id.rawValue)\(name) (\(kind)): \(place.messageCount) messages, "
            + "\(place.peopleCount) people\(span)"
    }
}
