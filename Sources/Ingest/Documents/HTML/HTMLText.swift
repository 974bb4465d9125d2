import ChatCore

/// Puts the words of an HTML document together as a person sees them: a line for each block and each row of a table.
///
/// Scripts, styles, comments and what the element itself hides are left out; style sheets are not read. Cells of a row
/// stand in one line, unless the table only arranges blocks.
struct HTMLText {
    /// The most bytes of text that are collected.
    static let byteLimit = 4 << 20
    /// Elements that are open at once: deeper ones are read as if they were not there.
    private static let depthLimit = 512
    /// How many open elements a beginning looks at to end some of them.
    private static let endedLimit = 16
    /// Cells and quotations in each other whose text is kept apart: each level copies it once more.
    private static let blockLimit = 32
    /// A cell with several lines of more characters than this is no cell of data.
    private static let cellLength = 400

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]
    /// Elements whose content is no markup.
    private static let raw: Set<String> = [
        "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
    ]
    /// Elements whose content nobody reads on the page.
    private static let skipped: Set<String> = [
        "template", "select", "datalist", "object", "audio", "video", "canvas", "svg", "noscript", "rt", "rp",
    ]
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
        "div",
        "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
        "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table",
        "tbody", "tfoot", "thead", "tr", "ul",
    ]
    /// Elements that the beginning of another one ends, and those that they do not look beyond.
    private static let ended: [String: (ends: Set<String>, within: Set<String>)] = [
        "li": (["li"], ["ul", "ol", "menu", "table"]), "dt": (["dt", "dd"], ["dl", "table"]),
        "dd": (["dt", "dd"], ["dl", "table"]), "tr": (["tr", "td", "th"], ["table"]),
        "td": (["td", "th"], ["tr", "table"]), "th": (["td", "th"], ["tr", "table"]),
        "tbody": (["tbody", "thead", "tfoot", "tr", "td", "th"], ["table"]),
        "tfoot": (["tbody", "thead", "tfoot", "tr", "td", "th"], ["table"]),
    ]

    /// Text that is kept apart until its element ends.
    private struct Block {
        var text = TextCollector()
        /// The cells of the present row, for a table.
        var cells: [String] = []
        /// Whether the present row arranges blocks: it has another table in it.
        var isArranged = false
    }

    private var tokens: HTMLTokenizer
    /// Whether the lines of quotations begin with `>`, as in mails.
    private let marksQuotations: Bool
    private var blocks = [Block()]
    /// The open elements with what they are, and how many of each name there are.
    private var open: [(name: String, role: Role)] = []
    private var counts: [String: Int] = [:]
    /// Elements beyond the limit.
    private var overflow = 0
    /// Elements within one whose content is left out, with itself.
    private var skippedDepth = 0
    private var byteCount = 0
    private var isCut = false

    private enum Role { case plain, table, row, cell, quotation }

    /// - Parameters:
    ///   - source: The document.
    ///   - marksQuotations: Whether the lines of quotations begin with `>`.
    private init(_ source: [UInt8], marksQuotations: Bool) {
        tokens = HTMLTokenizer(source[...])
        self.marksQuotations = marksQuotations
    }

    /// Returns the words of a document.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - charset: The name of its characters' set where it came with one; a mark at its beginning counts more, and the
    ///     document's own word less.
    ///   - marksQuotations: Whether the lines of quotations begin with `>`.
    /// - Returns: The words, and whether the rest was not read.
    static func text(
        of bytes: ArraySlice<UInt8>, charset: String? = nil, marksQuotations: Bool = false
    ) -> (text: String, isCut: Bool) {
        let source = TextCharset.decoded(bytes, named: charset ?? HTMLCharset.declared(in: bytes))
        var reading = HTMLText(Array(source.utf8), marksQuotations: marksQuotations)
        return reading.text()
    }

    private mutating func text() -> (String, Bool) {
        while let token = tokens.next() {
            switch token {
            case .text(let piece): take(piece)
            case .start(let tag): start(tag)
            case .end(let name): end(name)
            }
            if byteCount > Self.byteLimit {
                isCut = true
                break
            }
        }
        closeAll(above: 0)
        endRow()
        return (blocks[0].text.text.trimmingSpace, isCut)
    }

    private mutating func take(_ piece: String) {
        guard skippedDepth == 0 else { return }
        byteCount += piece.utf8.count
        // Between rows and cells is no text.
        if let last = open.last?.role, last == .table || last == .row, piece.allSatisfy(\.isWhitespace) { return }
        guard counts["pre", default: 0] > 0 else { return blocks[blocks.count - 1].text.append(piece) }
        for (place, line) in piece.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if place > 0 { blocks[blocks.count - 1].text.endLine() }
            blocks[blocks.count - 1].text.append(String(line))
        }
    }

    private mutating func endLine() { blocks[blocks.count - 1].text.endLine() }

    private mutating func start(_ tag: HTMLTokenizer.Tag) {
        let name = tag.name
        if Self.raw.contains(name) { return readContent(of: tag) }
        close(before: name)
        if skippedDepth > 0 {
            if !Self.void.contains(name) { push(name, .plain) }
            return
        }
        if Self.blocks.contains(name) { endLine() }
        switch name {
        case "br": endLine()
        case "li": if !Self.isHidden(tag) { blocks[blocks.count - 1].text.beginEntry("- ") }
        default: break
        }
        guard !Self.void.contains(name) else { return }
        if Self.isHidden(tag) || Self.skipped.contains(name) {
            push(name, .plain)
            skippedDepth = 1
            return
        }
        push(name, role(of: tag))
    }

    /// Returns what an element is, and begins the texts that it keeps apart.
    private mutating func role(of tag: HTMLTokenizer.Tag) -> Role {
        guard blocks.count < Self.blockLimit, open.count < Self.depthLimit else { return .plain }
        switch tag.name {
        case "table":
            // The table around arranges blocks, and so do tables that say so.
            for place in blocks.indices.dropFirst() { blocks[place].isArranged = true }
            var block = Block()
            block.isArranged = ["presentation", "none"].contains(tag.value(of: "role")?.lowercased())
            blocks.append(block)
            return .table
        case "td", "th":
            guard counts["table", default: 0] > 0 else { return .plain }
            blocks.append(Block())
            return .cell
        case "tr": return .row
        case "blockquote" where marksQuotations:
            blocks.append(Block())
            return .quotation
        default: return .plain
        }
    }

    /// Reads an element without markup in it: the title and texts of forms count.
    private mutating func readContent(of tag: HTMLTokenizer.Tag) {
        let content = tokens.content(of: tag.name)
        guard ["title", "textarea", "xmp"].contains(tag.name), skippedDepth == 0, !Self.isHidden(tag) else { return }
        endLine()
        take(tag.name == "xmp" ? String(decoding: content, as: UTF8.self) : HTMLReferences.replaced(content))
        endLine()
    }

    // MARK: - Open elements

    private mutating func push(_ name: String, _ role: Role) {
        if skippedDepth > 0 { skippedDepth += 1 }
        guard open.count < Self.depthLimit else {
            overflow += 1
            return
        }
        open.append((name, role))
        counts[name, default: 0] += 1
    }

    private mutating func end(_ name: String) {
        if name == "br" || name == "p", counts[name, default: 0] == 0, skippedDepth == 0 { return endLine() }
        if overflow > 0 {
            guard !Self.void.contains(name) else { return }
            overflow -= 1
            if skippedDepth > 0 { skippedDepth -= 1 }
            return
        }
        guard counts[name, default: 0] > 0, let place = open.lastIndex(where: { $0.name == name }) else { return }
        // The end of an element within a cell does not end the cell.
        let isCellPart = !["table", "tr", "td", "th", "tbody", "thead", "tfoot", "body", "html"].contains(name)
        if isCellPart, open[place...].contains(where: { $0.role == .cell }) { return }
        closeAll(above: place)
    }

    /// Ends what the beginning of an element ends.
    private mutating func close(before name: String) {
        guard overflow == 0 else { return }
        if open.last?.name == "p", Self.blocks.contains(name) { closeAll(above: open.count - 1) }
        guard let rule = Self.ended[name], rule.ends.contains(where: { counts[$0, default: 0] > 0 }) else { return }
        var lowest: Int?
        for place in open.indices.suffix(Self.endedLimit).reversed() {
            if rule.within.contains(open[place].name) { break }
            if rule.ends.contains(open[place].name) { lowest = place }
        }
        if let lowest { closeAll(above: lowest) }
    }

    /// Ends the open elements from a place on.
    private mutating func closeAll(above place: Int) {
        overflow = 0
        while open.count > place {
            let element = open.removeLast()
            counts[element.name, default: 1] -= 1
            if skippedDepth > 0 {
                skippedDepth -= 1
                continue
            }
            if Self.blocks.contains(element.name) { endLine() }
            if element.name == "li" { blocks[blocks.count - 1].text.endEntry() }
            switch element.role {
            case .plain: break
            case .row: endRow()
            case .cell:
                let cell = takeBlock()
                blocks[blocks.count - 1].cells.append(cell.text.text)
                if cell.isArranged { blocks[blocks.count - 1].isArranged = true }
            case .table: addLines(of: takeBlock().text.text)
            case .quotation: addLines(of: takeBlock().text.text, after: "> ")
            }
        }
    }

    private mutating func takeBlock() -> Block {
        endRow()
        return blocks.removeLast()
    }

    private mutating func addLines(of text: String, after mark: String = "") {
        endLine()
        for line in text.split(whereSeparator: \.isNewline) {
            blocks[blocks.count - 1].text.appendRaw(mark + line)
            endLine()
        }
    }

    /// Writes the cells of a row: in one line if they are data, else one after another.
    private mutating func endRow() {
        guard !blocks[blocks.count - 1].cells.isEmpty else { return endLine() }
        let cells = blocks[blocks.count - 1].cells.map(\.trimmingSpace)
        blocks[blocks.count - 1].cells = []
        let isArranged =
            blocks[blocks.count - 1].isArranged || cells.count { !$0.isEmpty } < 2
            || cells.contains { $0.utf8.count > Self.cellLength && $0.contains(where: \.isNewline) }
        endLine()
        if isArranged {
            for cell in cells { addLines(of: cell) }
        } else {
            for cell in cells {
                blocks[blocks.count - 1].text.append(cell)
                blocks[blocks.count - 1].text.appendRaw(" | ")
            }
            blocks[blocks.count - 1].text.endRow()
        }
    }

    /// Whether an element hides itself, as the preview lines of mails do.
    private static func isHidden(_ tag: HTMLTokenizer.Tag) -> Bool {
        if tag.value(of: "hidden") != nil { return true }
        guard let style = tag.value(of: "style")?.lowercased() else { return false }
        return style.prefix(4_096).split(separator: ";").contains { declaration in
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return false }
            let words = parts[1].split { $0.isWhitespace || $0 == "!" }
            guard let value = words.first else { return false }
            switch String(parts[0]).trimmingSpace {
            case "display": return value == "none"
            case "visibility": return value == "hidden" || value == "collapse"
            case "mso-hide": return value == "all"
            case "opacity", "font-size", "max-height":
                let number = value.prefix { $0.isNumber || $0 == "." }
                return Double(number) == 0
            default: return false
            }
        }
    }
}
