/// Divides the lines of a mail by who wrote them: its sender, or the senders of earlier mails that it quotes.
///
/// Earlier mails are known by `>`, by a line such as "On 3 November Ada wrote:", by a divider such as "Original
/// Message", and by a head within the text.
struct MailSections {
    /// A part of the text.
    struct Section {
        let label: String
        var lines: [String]
    }

    private static let labelLength = 120
    static let unknownLabel = "quoted mail"

    private(set) var sections: [Section] = []
    private let lines: [MailLine]
    /// Who wrote the lines of each depth.
    private var labels: [Int: String]
    private var depth = 0

    /// - Parameters:
    ///   - lines: The lines of a mail.
    ///   - label: The name of what its sender wrote.
    init(_ lines: [MailLine], label: String) {
        self.lines = lines
        labels = [0: Self.label(label)]
        begin()
        var place = 0
        while place < lines.count { place = take(place) }
    }

    /// Returns a text as the name of a part: one line, not too long.
    static func label(_ text: String) -> String {
        let line = TextCollector.line(text)
        return line.count > labelLength ? line.prefix(labelLength - 1) + "…" : line
    }

    /// Takes the line at a place; returns the place of the next one.
    private mutating func take(_ place: Int) -> Int {
        let line = lines[place]
        // Empty lines belong to no one.
        guard line.text.contains(where: { !$0.isWhitespace }) else { return place + 1 }
        if line.depth != depth {
            if line.depth > depth { beginQuotation(line.depth) } else { move(to: line.depth) }
        }
        if QuotationSigns.isDivider(line.text) {
            change(to: Self.unknownLabel)
        } else if let head = QuotationSigns.head(in: lines, at: place) {
            change(to: head.label)
            sections[sections.count - 1].lines += lines[place..<head.end].map(\.text)
            return head.end
        } else if QuotationSigns.isWholeAttribution(line.text), hasMore(after: place) {
            change(to: QuotationSigns.label(line.text))
        }
        sections[sections.count - 1].lines.append(line.text)
        return place + 1
    }

    /// Begins lines of an earlier mail; the line that names its sender moves to them.
    private mutating func beginQuotation(_ newDepth: Int) {
        let written = sections[sections.count - 1].lines
        let count = QuotationSigns.attributionCount(at: written)
        if let count {
            sections[sections.count - 1].lines.removeLast(count)
            labels = labels.filter { $0.key < newDepth }
            labels[newDepth] = Self.label(QuotationSigns.label(written.suffix(count).joined(separator: " ")))
        }
        if labels[newDepth] == nil { labels[newDepth] = Self.unknownLabel }
        move(to: newDepth)
        if let count { sections[sections.count - 1].lines += written.suffix(count) }
    }

    private mutating func move(to newDepth: Int) {
        depth = newDepth
        begin()
    }

    /// From here on somebody else wrote the lines of this depth.
    private mutating func change(to label: String) {
        labels = labels.filter { $0.key < depth }
        labels[depth] = Self.label(label)
        begin()
    }

    private mutating func begin() {
        let label = labels[depth] ?? Self.unknownLabel
        // A divider and the head behind it are one beginning.
        if let last = sections.last, last.label == Self.unknownLabel, label != last.label, last.lines.count == 1,
            QuotationSigns.isDivider(last.lines[0])
        {
            sections[sections.count - 1] = Section(label: label, lines: last.lines)
        } else if sections.last?.label != label {
            sections.append(Section(label: label, lines: []))
        }
    }

    private func hasMore(after place: Int) -> Bool {
        let next = lines[(place + 1)...].first { $0.text.contains { !$0.isWhitespace } }
        return next?.depth == lines[place].depth
    }
}
