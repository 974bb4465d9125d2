import ChatCore

/// Reads the words of a picture out of what `tesseract` prints in the form `tsv`.
package struct PictureText {
    /// Words of which the program is less sure than this, in percent, are left out: on a picture without text, or in
    /// another language, it finds words of which it is 20 to 40 percent sure, on clear ones 90 and more.
    private static let leastConfidence = 60.0

    /// The words, line by line; empty if there are none.
    package let text: String

    /// - Parameter table: The output: a head, then level, page, block, paragraph, line, word, four numbers of the place,
    ///   the confidence and the text of each word, divided by tabs.
    package init(table: String) {
        var collector = TextCollector()
        var line: [Substring] = []
        for row in table.split(separator: "\n").dropFirst() {
            let columns = row.split(separator: "\t", maxSplits: 11, omittingEmptySubsequences: false)
            guard columns.count == 12, columns[0] == "5", let confidence = Double(columns[10]),
                confidence >= Self.leastConfidence
            else { continue }
            if Array(columns[2...4]) != line { collector.endLine() }
            line = Array(columns[2...4])
            collector.append(columns[11] + " ")
        }
        text = collector.text.trimmingSpace
    }
}
