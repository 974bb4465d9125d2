/// Reads the text of a word processor document (WordprocessingML, ISO/IEC 29500-1).
///
/// Deleted and moved-away text of tracked changes, hidden text and codes of fields are left out; of a shape that is there
/// in two forms the first one counts. The cells of a row stand in one line. Comments and notes follow at the end.
struct WordDocument {
    /// Elements whose content is no text of the document.
    private static let skipped: Set<String> = [
        "del", "moveFrom", "Fallback", "instrText", "delText", "delInstrText", "sectPr", "tblPr", "trPr", "tcPr",
        "rubyPr",
        "rt", "pict", "object",
    ]

    private let package: OfficePackage
    private let path: String

    init(_ package: OfficePackage, path: String) {
        self.package = package
        self.path = path
    }

    func text() throws(DocumentError) -> DocumentText {
        guard let body = package[path] else { throw .damaged }
        var lines = [try Self.text(of: body)]
        let relations = try package.relations(of: path).values
        for type in ["footnotes", "endnotes", "comments"] {
            for relation in relations where relation.type == type {
                guard let part = package[relation.target] else { continue }
                lines.append(try Self.text(of: part))
            }
        }
        return DocumentText(parts: [.init(text: lines.filter { !$0.isEmpty }.joined(separator: "\n"))])
    }

    private static func text(of part: XMLReader) throws(DocumentError) -> String {
        var reading = WordReading(part)
        return try reading.text()
    }

    /// The reading of one part.
    private struct WordReading {
        private var reader: XMLReader
        /// The text of the body, and of the text boxes around the present place.
        private var texts = [TextCollector()]
        /// Text boxes that follow the present paragraph.
        private var boxes: [String] = []
        private var cellDepth = 0
        private var isHidden = false
        private var isText = false

        init(_ part: XMLReader) { reader = part }

        mutating func text() throws(DocumentError) -> String {
            while let event = try reader.next() {
                switch event {
                case .start(let tag): try start(tag)
                case .end(let name): end(name)
                case .text(let piece): if isText, !isHidden { texts[texts.count - 1].append(piece) }
                }
            }
            return texts[0].text.trimmingSpace
        }

        private mutating func start(_ tag: XMLReader.Tag) throws(DocumentError) {
            if WordDocument.skipped.contains(tag.name) || isSeparator(tag) { return try reader.skipElement() }
            switch tag.name {
            case "t": isText = true
            case "tab", "ptab": write("\t")
            case "br", "cr": if !isHidden { newLine() }
            case "noBreakHyphen": write("-")
            case "pPr": try readParagraph()
            case "rPr": try readRun()
            case "tc": cellDepth += 1
            case "comment": tag["author"].map { write("Comment by \($0): ") }
            case "txbxContent": texts.append(TextCollector())
            default: break
            }
        }

        private mutating func end(_ name: String) {
            switch name {
            case "t": isText = false
            case "r": isHidden = false
            case "p": if texts.count > 1 || cellDepth == 0 { endParagraph() } else { write(" ") }
            case "tc":
                cellDepth -= 1
                if texts.count == 1 { texts[0].appendRaw(" | ") }
            case "tr": if cellDepth == 0 { texts[texts.count - 1].endRow() }
            case "txbxContent" where texts.count > 1: boxes.append(texts.removeLast().text.trimmingSpace)
            default: break
            }
        }

        /// Footnotes that only draw a line.
        private func isSeparator(_ tag: XMLReader.Tag) -> Bool {
            guard tag.name == "footnote" || tag.name == "endnote" else { return false }
            return ["separator", "continuationSeparator", "continuationNotice"].contains(tag["type"])
        }

        private mutating func write(_ piece: String) {
            if !isHidden { texts[texts.count - 1].append(piece) }
        }

        private mutating func newLine() {
            if cellDepth > 0 { write(" ") } else { texts[texts.count - 1].endLine() }
        }

        private mutating func endParagraph() {
            texts[texts.count - 1].endLine()
            guard texts.count == 1 else { return }
            for box in boxes where !box.isEmpty {
                texts[0].appendRaw(box)
                texts[0].endLine()
            }
            boxes = []
        }

        /// Reads the form of a paragraph: members of lists begin with a dash, because their numbers are not in the file.
        private mutating func readParagraph() throws(DocumentError) {
            for tag in try reader.tags() where tag.name == "numId" && tag["val"] != "0" { write("- ") }
        }

        /// Reads the form of a run: whether it is hidden.
        private mutating func readRun() throws(DocumentError) {
            for tag in try reader.tags() where tag.name == "vanish" && !["0", "false", "off"].contains(tag["val"]) {
                isHidden = true
            }
        }
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmingSpace: String {
        var rest = Substring(self)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension TextCollector {
    /// Ends a row of cells: a divider behind the last cell that has text is left out.
    mutating func endRow() {
        trim { $0 == "|" || $0.isWhitespace && $0 != "\n" }
        endLine()
    }
}
