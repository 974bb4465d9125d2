package import Foundation

extension RunComparison {
    /// The comparison as a table for a terminal: every metric of the headline, the main one of each category, the
    /// questions that changed most, missed gates.
    package var text: String {
        var lines = ["A  \(firstName)", "B  \(secondName)", ""]
        let groupWidth = max(8, rows.map(\.group.count).max() ?? 0)
        let metricWidth = max(6, rows.map(\.metric.count).max() ?? 0)
        lines.append(
            "group".padded(groupWidth) + "  " + "metric".padded(metricWidth)
                + "       n       A       B    B - A   95 % interval           p")
        for row in rows where row.group == Self.headlineGroup || row.metric == changeMetric {
            let interval = "[\(row.difference.lower.signed), \(row.difference.upper.signed)]"
            lines.append(
                row.group.padded(groupWidth) + "  " + row.metric.padded(metricWidth)
                    + "  " + String(row.difference.count).leftPadded(6) + "  " + row.first.fixed + "  "
                    + row.second.fixed
                    + "  " + row.difference.mean.signed + "  " + interval + "  " + row.difference.pValue.fixed)
        }
        for (title, changes) in [("lost most", losses), ("gained most", gains)] where !changes.isEmpty {
            lines += ["", "questions that \(title) (\(changeMetric))"]
            lines += changes.map { "  \($0.first.fixed) -> \($0.second.fixed)  \($0.id)  (\($0.category))" }
        }
        if !missedGates.isEmpty {
            lines += ["", "gates missed"]
            lines += missedGates.map {
                "  \($0.group):\($0.metric) changed by \($0.difference.signed), allowed is \($0.leastDifference.signed)"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the comparison as JSON with sorted keys.
    ///
    /// - Throws: An encoding error, which these values do not cause.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension Double {
    /// Four decimals, without a locale.
    var fixed: String {
        decimals(4)
    }

    /// Four decimals with the sign.
    var signed: String {
        let text = decimals(4)
        return text.hasPrefix("-") ? text : "+" + text
    }

    /// Returns the number with `count` decimals; one that rounds to 0 has no sign.
    func decimals(_ count: Int) -> String {
        guard isFinite else { return "-" }
        let text = String(format: "%.\(count)f", locale: nil, self)
        return text.allSatisfy { "-0.".contains($0) } && text.hasPrefix("-") ? String(text.dropFirst()) : text
    }
}

extension String {
    /// Fills up with blanks on the right.
    func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Fills up with blanks on the left.
    func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
