/// The figures of one measurement of a server or a client, as one line of JSON and as words.
struct Figures {
    let target: BenchTarget
    let measured: String
    let values: [(name: String, number: Double)]

    init(_ target: BenchTarget, _ measured: String, _ values: [String: Double]) {
        self.target = target
        self.measured = measured
        self.values = values.sorted { $0.key < $1.key }.map { ($0.key, ($0.value * 1_000).rounded() / 1_000) }
    }

    /// Writes the line to the standard output, and the words to the standard error.
    func write() {
        var (line, figures) = (JSONLine(), JSONLine())
        for value in values { figures.add(value.name, value.number) }
        line.add("measured", measured)
        line.add("target", target.rawValue)
        line.add("values", figures)
        line.write()
        note("\(target) \(measured): " + values.map { "\($0.name) \($0.number)" }.joined(separator: ", "))
    }
}
