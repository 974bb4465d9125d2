import ChatCore

/// Reads the slides of a presentation (PresentationML, ISO/IEC 29500-1) in their order, with their notes.
///
/// Hidden slides keep their numbers and have no text. Shapes come from top to bottom, because their order in the file is
/// that of drawing.
struct Presentation {
    private let package: OfficePackage
    private let path: String

    init(_ package: OfficePackage, path: String) {
        self.package = package
        self.path = path
    }

    func text() throws(DocumentError) -> DocumentText {
        guard var reader = package[path] else { throw .damaged }
        let relations = try package.relations(of: path)
        var parts: [DocumentText.Part] = []
        while let event = try reader.next() {
            guard case .start(let tag) = event, tag.name == "sldId" else { continue }
            // A slide has a number `id` and a relation `r:id`.
            guard let relation = tag.values(of: "id").lazy.compactMap({ relations[$0] }).first else { continue }
            parts.append(.init(text: try slide(relation.target)))
        }
        return DocumentText(unit: .slide, parts: parts)
    }

    private func slide(_ path: String) throws(DocumentError) -> String {
        guard let part = package[path], let shapes = try Self.shapes(part) else { return "" }
        var lines = shapes
        for relation in try package.relations(of: path).values where relation.type == "notesSlide" {
            guard let notes = package[relation.target] else { continue }
            lines += (try Self.shapes(notes) ?? []).map { "Notes: " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the texts of the shapes from top to bottom and from left to right; nil for a hidden slide.
    private static func shapes(_ part: XMLReader) throws(DocumentError) -> [String]? {
        var reader = part
        var shapes: [(top: Int, left: Int, text: String)] = []
        var (collector, top, left) = (TextCollector(), 0, 0)
        var (isText, cellDepth, isNumber) = (false, 0, false)
        while let event = try reader.next() {
            switch event {
            case .start(let tag):
                switch tag.name {
                case "sld": if ["0", "false"].contains(tag["show"]) { return nil }
                case "Fallback": try reader.skipElement()
                case "sp", "graphicFrame": (collector, top, left, isNumber) = (TextCollector(), 0, 0, false)
                case "ph": isNumber = ["sldNum", "dt", "ftr", "hdr"].contains(tag["type"])
                case "off": (top, left) = (tag["y"].flatMap { Int($0) } ?? 0, tag["x"].flatMap { Int($0) } ?? 0)
                case "t": isText = true
                case "br": collector.endLine()
                case "tc": cellDepth += 1
                default: break
                }
            case .text(let piece): if isText { collector.append(piece) }
            case .end(let name):
                switch name {
                case "t": isText = false
                case "p": if cellDepth == 0 { collector.endLine() } else { collector.append(" ") }
                case "tc":
                    cellDepth -= 1
                    collector.appendRaw(" | ")
                case "tr": collector.endRow()
                case "sp", "graphicFrame":
                    let text = collector.text.trimmingSpace
                    if !text.isEmpty, !isNumber { shapes.append((top, left, text)) }
                    collector = TextCollector()
                default: break
                }
            }
        }
        return shapes.enumerated()
            .sorted { ($0.element.top, $0.element.left, $0.offset) < ($1.element.top, $1.element.left, $1.offset) }
            .map(\.element.text)
    }
}
