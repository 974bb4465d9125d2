/// A page in Prometheus' text format 0.0.4, read strictly: what breaks a rule of the format is an error.
package struct PrometheusText: Sendable {
    /// A rule that was broken, with the line.
    package struct Fault: Error, CustomStringConvertible {
        /// Which, and where.
        package let description: String
    }

    /// Sample values by `name{label="value",…}` as it is written.
    package private(set) var samples: [String: Double] = [:]
    /// The type of each metric.
    package private(set) var types: [String: String] = [:]
    private var helps: Set<String> = []
    private var current = ""
    private var buckets: [String: [(bound: Double, count: Double)]] = [:]

    /// Reads a page.
    package init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Fault(description: "the last line has no end") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            do {
                try take(String(line))
            } catch let fault as Fault {
                throw Fault(description: "\(fault.description): \(line)")
            }
        }
        try checkHistograms()
    }

    private mutating func take(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        if line.hasPrefix("# HELP ") {
            guard words.count == 4, helps.insert(words[2]).inserted else { throw Fault(description: "HELP") }
            current = words[2]
        } else if line.hasPrefix("# TYPE ") {
            let kinds = ["counter", "gauge", "histogram"]
            guard words.count == 4, words[2] == current, kinds.contains(words[3]), types[words[2]] == nil else {
                throw Fault(description: "TYPE")
            }
            types[words[2]] = words[3]
        } else {
            try takeSample(line)
        }
    }

    private mutating func takeSample(_ line: String) throws {
        guard let space = line.lastIndex(of: " ") else { throw Fault(description: "no value") }
        let series = String(line[..<space])
        let text = line[line.index(after: space)...]
        guard let value = text == "+Inf" ? .infinity : Double(text) else { throw Fault(description: "value") }
        let name = String(series.prefix { $0 != "{" })
        guard name.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil else { throw Fault(description: "name") }
        let labels = try Self.labels(of: series.dropFirst(name.count))
        let suffixes = types[current] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { current + $0 == name }) else { throw Fault(description: "no TYPE before") }
        guard samples.updateValue(value, forKey: series) == nil else { throw Fault(description: "twice") }
        if types[current] == "counter" {
            guard name.hasSuffix("_total"), value >= 0 else { throw Fault(description: "no counter") }
        }
        guard name == current + "_bucket", types[current] == "histogram" else { return }
        guard let last = labels.last, last.name == "le" else { throw Fault(description: "no le") }
        guard let bound = last.value == "+Inf" ? .infinity : Double(last.value) else { throw Fault(description: "le") }
        let others = labels.dropLast().map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        buckets[others.isEmpty ? current : "\(current){\(others)}", default: []].append((bound, value))
    }

    private static func labels(of text: Substring) throws -> [(name: String, value: String)] {
        guard !text.isEmpty else { return [] }
        guard text.hasPrefix("{"), text.hasSuffix("}") else { throw Fault(description: "braces") }
        var rest = text.dropFirst().dropLast()
        var labels: [(name: String, value: String)] = []
        while !rest.isEmpty {
            let pair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(,(?=[a-zA-Z_])|$)/
            guard let match = rest.prefixMatch(of: pair) else { throw Fault(description: "labels") }
            let isKnown = labels.contains { $0.name == String(match.1) }
            guard !isKnown else { throw Fault(description: "label twice") }
            labels.append((String(match.1), String(match.2)))
            rest = rest[match.range.upperBound...]
        }
        return labels
    }

    /// Buckets ascend to `+Inf`, their counts never fall, and the last is the count.
    private func checkHistograms() throws {
        for (series, buckets) in buckets {
            let name = String(series.prefix { $0 != "{" })
            let labels = series.dropFirst(name.count)
            for (one, next) in zip(buckets, buckets.dropFirst()) {
                guard one.bound < next.bound, one.count <= next.count else { throw Fault(description: series) }
            }
            guard buckets.last?.bound == .infinity, samples["\(name)_count\(labels)"] == buckets.last?.count,
                samples["\(name)_sum\(labels)"] != nil
            else { throw Fault(description: "incomplete \(series)") }
        }
        for (name, type) in types where type == "histogram" {
            guard buckets.keys.contains(where: { $0 == name || $0.hasPrefix("\(name){") }) else {
                throw Fault(description: "no buckets of \(name)")
            }
        }
    }
}
