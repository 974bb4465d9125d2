import ChatCore

/// Reads the text of an OpenDocument file (ISO/IEC 26300): a text, a spreadsheet or a presentation.
///
/// Deleted text of tracked changes is left out, and so are hidden sheets, rows, columns and slides. Notes and comments,
/// which stand in the middle of a sentence, follow their paragraph. Equal cells and rows are written once with their
/// number: those with text are repeated, and the empty ones up to the end of a sheet are not.
struct OpenDocument {
    private static let skipped: Set<String> = [
        "tracked-changes", "forms", "hidden-text", "hidden-paragraph", "settings", "date-time-decl", "header", "footer",
        "sequence-decls", "ruby-text", "title", "desc",
    ]

    private let package: OfficePackage

    init(_ package: OfficePackage) { self.package = package }

    func text() throws(DocumentError) -> DocumentText {
        if var manifest = package["META-INF/manifest.xml"] {
            while let event = try manifest.next() {
                if case .start(let tag) = event, tag.name == "encryption-data" { throw .protected }
            }
        }
        guard let content = package["content.xml"] else { throw .damaged }
        var reading = ContentReading(content)
        return try reading.text()
    }

    private struct ContentReading {
        private var reader: XMLReader
        private var unit: FileReading.Unit?
        private var parts: [DocumentText.Part] = []
        /// The text of the body, and of the notes around the present place.
        private var texts = [TextCollector()]
        private var notes: [String] = []
        private var (paragraphDepth, cellDepth) = (0, 0)
        private var label: String?
        private var isInBody = false
        /// The style that is defined at the present place, and the styles that hide a sheet or a slide.
        private var (style, hidingStyles): (String?, Set<String>) = (nil, [])
        /// The columns that are hidden, from 0, and the next column of the table and of the row.
        private var (hiddenColumns, tableColumn, column): ([Range<Int>], Int, Int) = ([], 0, 0)
        /// Where the present row and cell begin in the text, and how often they are there.
        private var (row, cell) = (Repeated(), Repeated())

        /// A part of the text that stands for several equal ones.
        private struct Repeated {
            var start = 0
            var count = 1
        }

        /// The most equal cells or rows that are written out.
        private static let repeatLimit = 50
        /// More columns or rows than a sheet can have.
        private static let countLimit = 1 << 24

        init(_ part: XMLReader) { reader = part }

        mutating func text() throws(DocumentError) -> DocumentText {
            while let event = try reader.next() {
                switch event {
                case .start(let tag): try start(tag)
                case .text(let piece): if isInBody, paragraphDepth > 0 { texts[texts.count - 1].append(piece) }
                case .end(let name): end(name)
                }
            }
            if unit == nil { parts = [.init(text: texts[0].text.trimmingSpace)] }
            return DocumentText(unit: unit, parts: parts)
        }

        private mutating func start(_ tag: XMLReader.Tag) throws(DocumentError) {
            if OpenDocument.skipped.contains(tag.name) { return try reader.skipElement() }
            switch tag.name {
            case "body": isInBody = true
            case "spreadsheet": unit = .sheet
            case "presentation": unit = .slide
            case "style": style = tag["name"]
            case "table-properties", "drawing-page-properties":
                let hides = tag["display"] == "false" || tag["visibility"] == "hidden"
                if hides, let style { hidingStyles.insert(style) }
            case "table" where unit == .sheet, "page" where unit == .slide: try startPart(tag)
            case "table-column": startColumn(tag)
            case "table-row" where unit == .sheet: try startRow(tag)
            case "notes" where unit == .slide: texts[0].endLine()
            case "p", "h": paragraphDepth += 1
            case "list-item": texts[texts.count - 1].append("- ")
            case "s", "tab": texts[texts.count - 1].append(" ")
            case "line-break":
                if cellDepth > 0 { texts[texts.count - 1].append(" ") } else { texts[texts.count - 1].endLine() }
            case "table-cell", "covered-table-cell": try startCell(tag)
            case "annotation", "note":
                texts.append(TextCollector())
                if tag.name == "annotation" { texts[texts.count - 1].append("Comment: ") }
            case "note-citation", "creator", "date", "initials", "creator-initials": try reader.skipElement()
            default: break
            }
        }

        private mutating func end(_ name: String) {
            switch name {
            case "body": isInBody = false
            case "p", "h":
                paragraphDepth -= 1
                if texts.count > 1 || cellDepth > 0 { texts[texts.count - 1].append(" ") } else { endParagraph() }
            case "table-cell", "covered-table-cell":
                cellDepth -= 1
                if texts.count == 1 { endCell() }
            case "table-row": if cellDepth == 0 { endRow() }
            case "annotation" where texts.count > 1, "note" where texts.count > 1:
                notes.append(texts.removeLast().text.trimmingSpace)
            case "table" where unit == .sheet, "page" where unit == .slide:
                endParagraph()
                parts.append(.init(label: label, text: texts[0].text.trimmingSpace))
                texts = [TextCollector()]
            default: break
            }
        }

        private mutating func startPart(_ tag: XMLReader.Tag) throws(DocumentError) {
            (label, texts, hiddenColumns, tableColumn) = (unit == .sheet ? tag["name"] : nil, [TextCollector()], [], 0)
            guard let style = tag["style-name"], hidingStyles.contains(style) else { return }
            try reader.skipElement()
            // Slides keep their numbers.
            if unit == .slide { parts.append(.init(text: "")) }
        }

        private mutating func startColumn(_ tag: XMLReader.Tag) {
            let end = min(tableColumn + Self.count(tag["number-columns-repeated"]), Self.countLimit)
            if isHidden(tag), end > tableColumn { hiddenColumns.append(tableColumn..<end) }
            tableColumn = end
        }

        private mutating func startRow(_ tag: XMLReader.Tag) throws(DocumentError) {
            if isHidden(tag) { return try reader.skipElement() }
            column = 0
            row = Repeated(start: texts[0].text.utf8.count, count: Self.count(tag["number-rows-repeated"]))
        }

        private mutating func startCell(_ tag: XMLReader.Tag) throws(DocumentError) {
            let count = Self.count(tag["number-columns-repeated"])
            let columns = column..<min(column + count, Self.countLimit)
            if unit == .sheet, cellDepth == 0 {
                column = columns.upperBound
                if hiddenColumns.contains(where: { $0.overlaps(columns) }) { return try reader.skipElement() }
                cell = Repeated(start: texts[0].text.utf8.count, count: count)
            }
            cellDepth += 1
        }

        private mutating func endCell() {
            let text = String(texts[0].text.utf8.dropFirst(cell.start)) ?? ""
            addDivider()
            guard unit == .sheet, cellDepth == 0, cell.count > 1, !text.trimmingSpace.isEmpty else { return }
            for _ in 1..<min(cell.count, Self.repeatLimit) { texts[0].appendRaw(text.trimmingSpace + " | ") }
        }

        private mutating func endRow() {
            texts[0].endRow()
            guard unit == .sheet, row.count > 1, let text = String(texts[0].text.utf8.dropFirst(row.start)),
                !text.trimmingSpace.isEmpty
            else { return }
            for _ in 1..<min(row.count, Self.repeatLimit) { texts[0].appendRaw(text) }
        }

        private func isHidden(_ tag: XMLReader.Tag) -> Bool { ["collapse", "filter"].contains(tag["visibility"]) }

        /// How often something is there: once without a number.
        private static func count(_ number: String?) -> Int {
            min(max(1, number.flatMap { Int($0) } ?? 1), countLimit)
        }

        /// Divides two cells; cells without text have no divider.
        private mutating func addDivider() {
            texts[0].trim { $0.isWhitespace && $0 != "\n" }
            switch texts[0].text.last {
            case nil, "\n": break
            case "|": texts[0].appendRaw(" ")
            default: texts[0].appendRaw(" | ")
            }
        }

        private mutating func endParagraph() {
            texts[texts.count - 1].endLine()
            guard texts.count == 1 else { return }
            for note in notes where !note.isEmpty {
                texts[0].append(note)
                texts[0].endLine()
            }
            notes = []
        }
    }
}
