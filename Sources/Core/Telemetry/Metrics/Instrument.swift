/// A metric: its name, its kind, and the allowed values of its labels.
package struct Instrument: Hashable, Sendable {
    /// How values are combined.
    package enum Kind: Hashable, Sendable {
        /// A sum that only grows.
        case counter
        /// A value that rises and falls.
        case gauge
        /// Counts of values up to each bound, ascending; the last bucket, without a bound, is not listed.
        case histogram(bounds: [Double])
    }

    /// A label and its values.
    package struct Label: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// The allowed values; any other value is counted as ``Instrument/other``.
        ///
        /// Nil for names that the program itself defines, such as patterns of routes.
        package let values: Set<String>?

        init(_ name: String, _ values: Set<String>?) {
            self.name = name
            self.values = values
        }
    }

    /// Replaces a value that a label may not have.
    package static let other = "other"

    /// Its name as Prometheus knows it, with the unit at its end.
    package let name: String
    /// The kind of metric.
    package let kind: Kind
    /// The description, on one line.
    package let help: String
    /// Its labels, in the order in which they are written.
    package let labels: [Label]

    init(_ name: String, _ kind: Kind, _ help: String, _ labels: [Label] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }

    /// Returns the values of its labels for a caller's dimensions: a missing value is empty, a forbidden one is
    /// ``other``.
    func values(of dimensions: [(String, String)]) -> [String] {
        labels.map { label in
            guard let value = dimensions.first(where: { $0.0 == label.name })?.1 else { return "" }
            guard let allowed = label.values, !value.isEmpty else { return value }
            return allowed.contains(value) ? value : Self.other
        }
    }

    /// The names under which its samples are written.
    package var sampleNames: [String] {
        switch kind {
        case .counter, .gauge: [name]
        case .histogram: ["_bucket", "_sum", "_count"].map { name + $0 }
        }
    }
}
