extension MetricRegistry {
    /// The content type of ``text()``.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Writes the metrics in the text format of Prometheus, version 0.0.4.
    ///
    /// - Returns: Lines; instruments in their order, without those that have no value, samples by the values of their
    ///   labels.
    package func text() -> String {
        var text = ""
        for family in snapshot where !family.series.isEmpty {
            let instrument = family.instrument
            text += "# HELP \(instrument.name) \(Self.escaped(instrument.help, quotes: false))\n"
            text += "# TYPE \(instrument.name) \(instrument.kind.word)\n"
            for (values, series) in family.series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                let labels = Array(zip(instrument.labels.map(\.name), values))
                Self.write(series, of: instrument, labels: labels, to: &text)
            }
        }
        return text
    }

    private static func write(
        _ series: Series, of instrument: Instrument, labels: [(String, String)], to text: inout String
    ) {
        let name = instrument.name
        switch series {
        case .number(let series): text += "\(name)\(list(labels)) \(number(series.value))\n"
        case .histogram(let series):
            guard case .histogram(let bounds) = instrument.kind else { return }
            let counts = series.counts
            var total = 0
            for (bound, count) in zip(bounds.map(number) + ["+Inf"], counts.buckets) {
                total += count
                text += "\(name)_bucket\(list(labels + [("le", bound)])) \(total)\n"
            }
            text += "\(name)_sum\(list(labels)) \(number(counts.sum))\n"
            text += "\(name)_count\(list(labels)) \(total)\n"
        }
    }

    /// A label without a value is a label that is missing.
    private static func list(_ labels: [(String, String)]) -> String {
        let pairs = labels.filter { !$0.1.isEmpty }.map { "\($0.0)=\"\(escaped($0.1, quotes: true))\"" }
        return pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private static func number(_ value: Double) -> String {
        switch value {
        case _ where value.isNaN: "NaN"
        case .infinity: "+Inf"
        case -.infinity: "-Inf"
        case _ where value == value.rounded() && value.magnitude < 1e15: String(Int64(value))
        default: "\(value)"
        }
    }
}

extension Instrument.Kind {
    /// The word after `# TYPE`.
    fileprivate var word: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
