import ChatCore

/// Puts the words of a PDF together, from what poppler's `pdftotext` prints.
///
/// The form `-bbox-layout` keeps the hyphens at the ends of lines, which the plain form drops even in dates, and reads
/// column by column. But it turns around words that are written from right to left, so such pages come from the plain
/// form.
package struct PDFText {
    /// The share of letters from right to left from which on a page counts as such.
    private static let rightToLeftShare = 0.2

    /// A line of a block, with its place in points.
    private struct Line {
        var (left, right): (Double, Double)
        var words: [String]
    }

    /// The words between hyphens that occur within lines, in lower case, and all other words.
    private var (hyphenated, plain): (Set<String>, Set<String>) = ([], [])
    private var pages: [[[Line]]] = []

    /// - Parameter layout: The output of `pdftotext -bbox-layout`.
    /// - Throws: ``DocumentError/damaged``.
    package init(layout: [UInt8]) throws(DocumentError) {
        var reader = XMLReader(layout)
        var isWord = false
        while let event = try reader.next() {
            switch event {
            case .start(let tag):
                switch tag.name {
                case "page": pages.append([])
                case "block": if !pages.isEmpty { pages[pages.count - 1].append([]) }
                case "line": begin(tag)
                case "word": isWord = true
                default: break
                }
            case .text(let text): if isWord { add(text) }
            case .end(let name): if name == "word" { isWord = false }
            }
        }
        collectWords()
    }

    private mutating func begin(_ tag: XMLReader.Tag) {
        guard let page = pages.indices.last, let block = pages[page].indices.last else { return }
        let (left, right) = (tag["xMin"].flatMap { Double($0) } ?? 0, tag["xMax"].flatMap { Double($0) } ?? 0)
        pages[page][block].append(Line(left: left, right: right, words: []))
    }

    private mutating func add(_ word: String) {
        guard let page = pages.indices.last, let block = pages[page].indices.last,
            let line = pages[page][block].indices.last
        else { return }
        pages[page][block][line].words.append(word)
    }

    /// Whether a page is written from right to left, so that the plain form has to be read too.
    package var needsPlainForm: Bool { pages.indices.contains(where: isRightToLeft) }

    /// Returns the text, page by page.
    ///
    /// - Parameter plain: The output of `pdftotext` without a form, in which a form feed ends each page; nil if it was not
    ///   needed.
    /// - Returns: The pages.
    package func text(plain: String?) -> DocumentText {
        let plainPages =
            plain.map { $0.split(separator: "\u{0C}", omittingEmptySubsequences: false).map(String.init) } ?? []
        let parts = pages.indices.map { page -> DocumentText.Part in
            var collector = TextCollector()
            if isRightToLeft(page), plainPages.indices.contains(page) {
                for line in plainPages[page].split(whereSeparator: \.isNewline) {
                    collector.append(String(line))
                    collector.endLine()
                }
            } else {
                for block in pages[page] { write(block, to: &collector) }
            }
            return .init(text: collector.text.trimmingSpace)
        }
        return DocumentText(unit: .page, parts: parts)
    }

    /// Writes a block: lines that fill its width continue in the next line.
    private func write(_ block: [Line], to collector: inout TextCollector) {
        let (left, right) = (block.map(\.left).min() ?? 0, block.map(\.right).max() ?? 0)
        for (place, line) in block.enumerated() {
            let text = Self.joined(line.words)
            guard place + 1 < block.count, let next = block[place + 1].words.first else {
                collector.append(text)
                continue
            }
            let isFull = line.right - left >= 0.8 * (right - left)
            switch seam(line.words.last ?? "", next) {
            case .dropped: collector.append(String(text.dropLast()))
            case .kept: collector.append(text)
            case nil where isFull && !Self.isUnspaced(text.unicodeScalars.last, next.unicodeScalars.first):
                collector.append(text + " ")
            case nil:
                collector.append(text)
                if !isFull { collector.endLine() }
            }
        }
        collector.endLine()
    }

    /// What becomes of a hyphen at the end of a line.
    private enum Seam { case kept, dropped }

    /// Decides about a hyphen between two lines; nil if there is none.
    ///
    /// Before digits, capitals and other signs it belongs to the word, as in a date. Between two small letters it does
    /// if the document has the word with it within a line, and not if it has the word without it, or neither.
    private func seam(_ word: String, _ next: String) -> Seam? {
        guard let sign = word.unicodeScalars.last, word.unicodeScalars.count > 1 else { return nil }
        if sign == "\u{AD}" || sign == "\u{2010}" { return .dropped }
        guard sign == "-" else { return nil }
        guard let before = word.dropLast().last, before.isLowercase, let after = next.first, after.isLowercase else {
            // A dash at the end of a line is no hyphen.
            return word.dropLast().last?.isLetter == true || word.dropLast().last?.isNumber == true ? .kept : nil
        }
        let tail = Self.core(next)
        return hyphenated.contains(Self.core(word.dropLast() + "-" + tail))
            && !plain.contains(Self.core(word.dropLast() + tail))
            ? .kept : .dropped
    }

    private mutating func collectWords() {
        for line in pages.joined().joined() {
            for word in line.words.dropLast() {
                let core = Self.core(word)
                if core.contains("-") { hyphenated.insert(core) } else { plain.insert(core) }
            }
        }
    }

    /// A word in lower case without signs at its ends.
    private static func core(_ word: some StringProtocol) -> String {
        var rest = Substring(word.lowercased())
        while let first = rest.first, !first.isLetter, !first.isNumber { rest.removeFirst() }
        while let last = rest.last, !last.isLetter, !last.isNumber { rest.removeLast() }
        return String(rest)
    }

    /// Joins the words of a line; there is no space between signs of scripts that have none.
    private static func joined(_ words: [String]) -> String {
        var text = ""
        for word in words {
            if !text.isEmpty, !isUnspaced(text.unicodeScalars.last, word.unicodeScalars.first) { text += " " }
            text += word
        }
        return text
    }

    private static func isUnspaced(_ left: Unicode.Scalar?, _ right: Unicode.Scalar?) -> Bool {
        guard let left, let right else { return false }
        return isIdeographic(left) && isIdeographic(right)
    }

    /// Kana, ideographs and their punctuation.
    private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3000...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFFEF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private func isRightToLeft(_ page: Int) -> Bool {
        var (letters, rightToLeft) = (0, 0)
        for line in pages[page].joined() {
            for scalar in line.words.joined().unicodeScalars where scalar.properties.isAlphabetic {
                letters += 1
                // Hebrew, Arabic and their neighbours, and their presentation forms.
                switch scalar.value {
                case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF: rightToLeft += 1
                default: break
                }
            }
        }
        return letters > 0 && Double(rightToLeft) >= Self.rightToLeftShare * Double(letters)
    }
}
