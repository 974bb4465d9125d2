import ChatCore
import Foundation

/// Reads the cells of a workbook (SpreadsheetML, ISO/IEC 29500-1), sheet by sheet and row by row.
///
/// Hidden sheets, rows and columns are left out. Days and times are written as in ISO 8601 and shares in percent, because
/// the number alone says nothing. A formula counts by its stored result, and by itself if no formula of the sheet has one.
struct Spreadsheet {
    private let package: OfficePackage
    private let path: String

    init(_ package: OfficePackage, path: String) {
        self.package = package
        self.path = path
    }

    func text() throws(DocumentError) -> DocumentText {
        guard package[path] != nil else { throw .damaged }
        let relations = try package.relations(of: path)
        func part(_ type: String) -> XMLReader? {
            relations.values.first { $0.type == type }.flatMap { package[$0.target] }
        }
        let texts = try part("sharedStrings").map { reader throws(DocumentError) in try Self.texts(reader) } ?? []
        let forms = try part("styles").map { reader throws(DocumentError) in try CellForms(reader) } ?? CellForms()
        let (sheets, is1904) = try sheets()
        var parts: [DocumentText.Part] = []
        for sheet in sheets {
            guard let relation = relations[sheet.relation], relation.type == "worksheet",
                let reader = package[relation.target]
            else { continue }
            var reading = SheetReading(reader, texts: texts, forms: forms, is1904: is1904)
            parts.append(.init(label: sheet.name, text: try reading.text()))
        }
        return DocumentText(unit: .sheet, parts: parts)
    }

    /// Returns the visible sheets in their order, and whether days are counted from 1904 on.
    private func sheets() throws(DocumentError) -> ([(name: String, relation: String)], is1904: Bool) {
        guard var reader = package[path] else { throw .damaged }
        var (sheets, is1904): ([(name: String, relation: String)], Bool) = ([], false)
        while let event = try reader.next() {
            guard case .start(let tag) = event else { continue }
            if tag.name == "workbookPr" { is1904 = ["1", "true"].contains(tag["date1904"]) }
            if tag.name == "sheet", tag["state"] ?? "visible" == "visible", let name = tag["name"], let id = tag["id"] {
                sheets.append((name, id))
            }
        }
        return (sheets, is1904)
    }

    /// Returns the texts that cells name by their numbers; readings of East Asian words are left out.
    private static func texts(_ part: XMLReader) throws(DocumentError) -> [String] {
        var (reader, texts): (XMLReader, [String]) = (part, [])
        var (collector, isText) = (TextCollector(), false)
        while let event = try reader.next() {
            switch event {
            case .start(let tag) where tag.name == "rPh": try reader.skipElement()
            case .start(let tag): if tag.name == "t" { isText = true }
            case .text(let piece): if isText { collector.append(piece) }
            case .end("t"): isText = false
            case .end("si"):
                texts.append(collector.text)
                collector = TextCollector()
            case .end: break
            }
        }
        return texts
    }
}

/// How numbers of cells are shown, by the number of a cell's style.
struct CellForms {
    enum Form { case plain, day, time, moment, share }

    private var forms: [Form] = []

    init() {}

    init(_ part: XMLReader) throws(DocumentError) {
        var (reader, codes): (XMLReader, [Int: String]) = (part, [:])
        var isInCellForms = false
        while let event = try reader.next() {
            switch event {
            case .start(let tag):
                if tag.name == "numFmt", let id = tag["numFmtId"].flatMap({ Int($0) }) { codes[id] = tag["formatCode"] }
                if tag.name == "cellXfs" { isInCellForms = true }
                if tag.name == "xf", isInCellForms {
                    let id = tag["numFmtId"].flatMap { Int($0) } ?? 0
                    forms.append(codes[id].map(Self.form(ofCode:)) ?? Self.form(ofBuiltIn: id))
                }
            case .end(let name): if name == "cellXfs" { isInCellForms = false }
            case .text: break
            }
        }
    }

    subscript(style: Int) -> Form { forms.indices.contains(style) ? forms[style] : .plain }

    /// The forms that files name by number only (ISO/IEC 29500-1, 18.8.30).
    private static func form(ofBuiltIn id: Int) -> Form {
        switch id {
        case 9, 10: .share
        case 14...17, 27...31, 36, 50...54, 57, 58: .day
        case 18...21, 32...35, 45...47, 55, 56: .time
        case 22: .moment
        default: .plain
        }
    }

    /// Reads a written form, without its quoted texts, colours and languages: `m` alone is a month, beside `h` or `s`
    /// minutes.
    private static func form(ofCode code: String) -> Form {
        var (letters, isQuoted, isBracket, isEscaped) = (Set<Character>(), false, false, false)
        for character in code.lowercased() {
            if isEscaped { isEscaped = false; continue }
            switch character {
            case "\\", "_", "*": isEscaped = !isQuoted
            case "\"": isQuoted.toggle()
            case "[" where !isQuoted: isBracket = true
            case "]" where !isQuoted: isBracket = false
            default: if !isQuoted, !isBracket { letters.insert(character) }
            }
        }
        if code.lowercased().contains("[h]") || code.lowercased().contains("[m]") { letters.insert("h") }
        let (hasDay, hasTime) = (!letters.isDisjoint(with: "yd"), !letters.isDisjoint(with: "hs"))
        switch (hasDay || letters.contains("m") && !hasTime, hasTime) {
        case (true, true): return .moment
        case (true, false): return .day
        case (false, true): return .time
        case (false, false): return letters.contains("%") ? .share : .plain
        }
    }
}

/// The reading of one sheet.
private struct SheetReading {
    private var reader: XMLReader
    private let texts: [String]
    private let forms: CellForms
    private let is1904: Bool
    private var collector = TextCollector()
    private var hiddenColumns: [ClosedRange<Int>] = []
    private var column = 0
    private var showsFormulas = false

    init(_ part: XMLReader, texts: [String], forms: CellForms, is1904: Bool) {
        reader = part
        self.texts = texts
        self.forms = forms
        self.is1904 = is1904
    }

    mutating func text() throws(DocumentError) -> String {
        showsFormulas = try Self.lacksResults(reader)
        while let event = try reader.next() {
            switch event {
            case .start(let tag): try start(tag)
            case .end("row"): collector.endLine()
            case .end, .text: break
            }
        }
        return collector.text.trimmingSpace
    }

    /// Whether no formula of a sheet has a result: some programs store 0 for each one that they did not compute.
    private static func lacksResults(_ part: XMLReader) throws(DocumentError) -> Bool {
        var (reader, inside, value) = (part, "", "")
        var (isFormula, hasFormula) = (false, false)
        while let event = try reader.next() {
            switch event {
            case .start(let tag):
                inside = tag.name
                if inside == "c" { (value, isFormula) = ("", false) }
                if inside == "f" { isFormula = true }
            case .text(let piece): if inside == "v" { value += piece }
            case .end(let name):
                inside = ""
                guard name == "c", isFormula else { continue }
                guard value.isEmpty || value == "0" else { return false }
                hasFormula = true
            }
        }
        return hasFormula
    }

    private mutating func start(_ tag: XMLReader.Tag) throws(DocumentError) {
        switch tag.name {
        case "col":
            if ["1", "true"].contains(tag["hidden"]), let first = tag["min"].flatMap({ Int($0) }),
                let last = tag["max"].flatMap({ Int($0) }), first <= last
            {
                hiddenColumns.append(first...last)
            }
        case "row":
            column = 0
            if ["1", "true"].contains(tag["hidden"]) { try reader.skipElement() }
        case "c":
            column = tag["r"].flatMap(Self.column) ?? column + 1
            let value = try cell(tag)
            guard !value.isEmpty, !hiddenColumns.contains(where: { $0.contains(column) }) else { return }
            if let last = collector.text.last, last != "\n" { collector.appendRaw(" | ") }
            collector.append(value)
        case "headerFooter", "dataValidations", "conditionalFormatting", "extLst": try reader.skipElement()
        default: break
        }
    }

    /// Returns the number of a column from a place such as `AB12`.
    private static func column(_ place: String) -> Int? {
        var number = 0
        for letter in place.utf8.prefix(while: { (0x41...0x5A).contains($0) }).prefix(3) {
            number = number * 26 + Int(letter) - 0x40
        }
        return number > 0 ? number : nil
    }

    /// Reads a cell to its end; returns what it shows.
    private mutating func cell(_ tag: XMLReader.Tag) throws(DocumentError) -> String {
        var (value, text, formula, inside) = ("", TextCollector(), "", "")
        reading: while true {
            switch try reader.next() {
            case .start(let tag):
                if tag.name == "rPh" { try reader.skipElement() } else { inside = tag.name }
            case .text(let piece):
                if inside == "v" { value += piece }
                if inside == "f" { formula += piece }
                if inside == "t" { text.append(piece) }
            case .end("c"): break reading
            case .end: inside = ""
            case nil: throw .damaged
            }
        }
        if showsFormulas, !formula.isEmpty { return "=" + formula }
        switch tag["t"] ?? "n" {
        case "s": return Int(value).flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? ""
        case "inlineStr": return text.text
        case "b": return value.isEmpty ? "" : value == "1" ? "TRUE" : "FALSE"
        case "str", "e", "d": return value
        default:
            if value.isEmpty { return formula.isEmpty ? "" : "=" + formula }
            return shown(value, forms[tag["s"].flatMap { Int($0) } ?? 0])
        }
    }

    private func shown(_ value: String, _ form: CellForms.Form) -> String {
        // Below this every day, its seconds, and the number in percent are far from the ends of an `Int`.
        guard let number = Double(value), number.isFinite, abs(number) < 3_000_000 else { return value }
        switch form {
        case .plain: return value
        case .share: return Self.plain(number * 100) + "%"
        case .time where number >= 0: return Self.time(number * 86_400)
        case .day, .moment, .time: return day(number, withTime: form == .moment) ?? value
        }
    }

    /// Returns a day for its number; days before March 1900 are one off in the format, so they stay numbers.
    private func day(_ number: Double, withTime: Bool) -> String? {
        let days = Int(number.rounded(.down))
        guard is1904 ? days >= 0 : days > 60 else { return nil }
        // From 30 December 1899, or from 1 January 1904, to 1 January 1970.
        let seconds = Double(days - (is1904 ? 24_107 : 25_569)) * 86_400
        let date = Date(timeIntervalSince1970: seconds).formatted(.iso8601.year().month().day())
        let rest = (number - Double(days)) * 86_400
        return withTime && rest >= 0.5 ? date + " " + Self.time(rest) : date
    }

    /// Returns hours and minutes, and seconds if there are any.
    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let parts = [whole / 3_600, whole / 60 % 60] + (whole % 60 == 0 ? [] : [whole % 60])
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private static func plain(_ number: Double) -> String {
        let rounded = (number * 10_000).rounded() / 10_000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
