import ChatCore

/// Reads the text of an OpenDocument file (ISO/IEC 26300): a text, a spreadsheet or a presentation.
///
/// Deleted text of tracked changes is left out. Notes and comments, which stand in the middle of a sentence, follow their
/// paragraph. Empty cells that are repeated up to the end of a sheet are left out too.
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
            case "table" where unit == .sheet, "page" where unit == .slide:
                (label, texts) = (unit == .sheet ? tag["name"] : nil, [TextCollector()])
            case "notes" where unit == .slide: texts[0].endLine()
            case "p", "h": paragraphDepth += 1
            case "list-item": texts[texts.count - 1].append("- ")
            case "s", "tab": texts[texts.count - 1].append(" ")
            case "line-break":
                if cellDepth > 0 { texts[texts.count - 1].append(" ") } else { texts[texts.count - 1].endLine() }
            case "table-cell", "covered-table-cell": cellDepth += 1
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
                if texts.count == 1 { addDivider() }
            case "table-row": if cellDepth == 0 { texts[0].endRow() }
            case "annotation" where texts.count > 1, "note" where texts.count > 1:
                notes.append(texts.removeLast().text.trimmingSpace)
            case "table" where unit == .sheet, "page" where unit == .slide:
                endParagraph()
                parts.append(.init(label: label, text: texts[0].text.trimmingSpace))
                texts = [TextCollector()]
            default: break
            }
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
