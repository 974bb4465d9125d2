import Foundation

/// Where a line stands: it decides what the application may have written there.
enum LinePosition {
    /// In an export of Android, where its notices have no author.
    case android
    /// In an export of iOS, where all lines have an author.
    case iOS
    /// The first line of an export of iOS, where every chat has a notice.
    case opening
}

/// Texts that the application writes instead of a person's text, in the languages of its users.
///
/// On iOS most of them begin with a mark of direction, which people do not type; on Android, and after a copy through
/// other programs, they do not. So they are known by their words (``WhatsAppTexts``); the mark only adds to that.
enum WhatsAppNotice {
    /// A text without the application's additions.
    struct Content: Equatable {
        var text: String
        var attachment: String?
        var isDeleted = false
        /// The application notes that the text was edited.
        var isEdited = false
        /// The picture, sound or file was left out of the export.
        var isMediaLeftOut = false
        /// The application itself speaks.
        var isNotice = false
    }

    private static let deletions = PhraseTable(WhatsAppTexts.deletions)
    private static let edits = PhraseTable(WhatsAppTexts.edits)
    private static let labels = PhraseTable(WhatsAppTexts.labels)
    private static let notes = PhraseTable(WhatsAppTexts.notes)
    private static let omissions = PhraseTable(WhatsAppTexts.omissions)
    private static let stubs = PhraseTable(WhatsAppTexts.stubs)
    /// The application's texts about a chat are one line, and short.
    private static let lineByteLimit = 600

    /// Takes a message's text apart.
    ///
    /// - Parameters:
    ///   - raw: The text with its marks.
    ///   - author: The author as the export has it.
    ///   - position: Where it stands.
    ///   - isPerson: Whether a folded text is the name of somebody in the chat.
    /// - Returns: What a person wrote, and what the application says about it.
    static func content(
        of raw: String, by author: String, at position: LinePosition, isPerson: (Substring) -> Bool = { _ in false }
    ) -> Content {
        let isMarked = raw.unicodeScalars.first?.value == 0x200E
        let unmarked = withoutEditMark(raw)
        var content = Content(text: InvisibleMarks.removed(unmarked ?? raw).trimmed(), isEdited: unmarked != nil)
        let line = line(content.text)
        if let line, deletions.fillings(of: line, { $0.allSatisfy(isName) }) {
            return Content(text: "", isDeleted: true)
        }
        if let (name, rest) = attachedFile(in: content.text) {
            content.text = rest
            content.attachment = name
            return content
        }
        if let left = leftOut(content.text, line: line, raw: raw) { return left }
        // Polls and places are marked too, but are written by people.
        let isMarkedNotice = isMarked && !content.text.contains("\n") && !content.text.contains("://")
        content.isNotice =
            isMarkedNotice
            || line.map { line in
                spoken(line, by: author, at: position) { isPerson($0) || WhatsAppSpeech.isName($0, in: content.text) }
            } ?? false
        return content
    }

    private static func spoken(
        _ line: String, by author: String, at position: LinePosition, isPerson: (Substring) -> Bool
    ) -> Bool {
        // Android writes no author before events, and before calls.
        WhatsAppSpeech.isNotice(line, at: position)
            || (position != .android && WhatsAppSpeech.isEvent(line, of: author, isPerson: isPerson))
    }

    /// The text folded, if it is one short line.
    static func line(_ text: String) -> String? {
        guard text.utf8.count <= lineByteLimit, !text.unicodeScalars.contains(where: isNewline) else { return nil }
        return PhraseTable.folded(text)
    }

    private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Whether the text in a gap may be a name: "by admin Ada", but not "by mistake, why?".
    private static func isName(_ gap: Substring) -> Bool {
        gap.utf8.count <= 80 && !gap.contains { ",;:?!\n".contains($0) } && gap.split(separator: " ").count <= 4
    }

    /// Removes `<This message was edited>` from the end; nil if there is none.
    ///
    /// In languages that are not in the table it is known by the mark before it.
    private static func withoutEditMark(_ text: String) -> String? {
        var end = text.unicodeScalars[...]
        while let last = end.last, InvisibleMarks.isMark(last) || InvisibleMarks.isBlank(last) { end.removeLast() }
        guard end.last == ">" else { return nil }
        let ended = String(end)
        guard let open = ended.lastIndex(of: "<") else { return nil }
        let inside = PhraseTable.folded(String(ended[ended.index(after: open)...].dropLast()))
        let before = ended[..<open]
        let isMarked =
            before.unicodeScalars.last.map(InvisibleMarks.isMark) ?? false && inside.contains(" ")
            && !inside.contains(":") && !omissions.contains(inside)
            && !InvisibleMarks.removed(String(before)).trimmed().isEmpty
        return isMarked || edits.contains(inside) ? String(before) : nil
    }

    /// Finds `<attached: 0001-PHOTO.jpg>` of iOS, `IMG-2025-WA0001.jpg (file attached)` of Android.
    private static func attachedFile(in text: String) -> (name: String, rest: String)? {
        if text.hasSuffix(">"), let open = text.lastIndex(of: "<"), let colon = text[open...].firstIndex(of: ":") {
            let label = PhraseTable.folded(String(text[text.index(after: open)..<colon]))
            let name = String(text[text.index(after: colon)...].dropLast()).trimmed()
            if labels.contains(label), isFileName(name) { return (name, String(text[..<open]).trimmed()) }
        }
        guard text.utf8.contains(UInt8(ascii: ")")) else { return nil }
        let firstLine = text.prefix { $0 != "\n" }
        guard firstLine.hasSuffix(")"), let open = firstLine.lastIndex(of: "("), open > firstLine.startIndex,
            notes.contains(PhraseTable.folded(String(firstLine[firstLine.index(after: open)...].dropLast())))
        else { return nil }
        let name = String(firstLine[..<open]).trimmed()
        guard isFileName(name) else { return nil }
        return (name, String(text.dropFirst(firstLine.count)).trimmed())
    }

    private static func isFileName(_ text: String) -> Bool {
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex, text.utf8.count <= 255 else { return false }
        let ending = text[text.index(after: dot)...]
        return (1...5).contains(ending.count) && ending.allSatisfy { $0.isLetter || $0.isNumber }
            && !text.contains("\n")
    }

    /// Finds `<Media omitted>`, and of iOS `image omitted`, `plan.pdf • 3 pages document omitted`; what a person wrote
    /// beside it stays.
    private static func leftOut(_ text: String, line: String?, raw: String) -> Content? {
        let firstLine = text.hasPrefix("<") ? String(text.prefix { !$0.isNewline }) : ""
        if firstLine.hasSuffix(">"), firstLine.utf8.count <= lineByteLimit {
            let inside = PhraseTable.folded(String(firstLine.dropFirst().dropLast()))
            if omissions.contains(inside) || stubs.contains(inside) {
                return withCaption(String(text.dropFirst(firstLine.count)))
            }
        }
        guard let line else { return nil }
        if stubs.contains(line) { return withCaption("") }
        if let name = omittedName(in: text, line: line, raw: raw) { return Content(text: "", attachment: name) }
        // A caption comes first, then a mark, then the words of the application.
        guard let mark = raw.unicodeScalars.lastIndex(where: InvisibleMarks.isMark) else { return nil }
        let tail = String(raw.unicodeScalars[raw.unicodeScalars.index(after: mark)...])
        guard stubs.contains(PhraseTable.folded(tail)) else { return nil }
        return withCaption(InvisibleMarks.removed(String(raw.unicodeScalars[..<mark])))
    }

    private static func withCaption(_ text: String) -> Content {
        let caption = text.trimmed()
        return Content(text: caption, isMediaLeftOut: caption.isEmpty)
    }

    /// The name of a document that was left out: `plan.pdf • 3 pages document omitted`; in languages that are not in the
    /// table it is known by the marks after the name.
    private static func omittedName(in text: String, line: String, raw: String) -> String? {
        // Most texts have no bullet: its bytes are looked for first.
        guard text.utf8.contains(0xE2), let dot = text.range(of: " • ") else { return nil }
        let name = String(text[..<dot.lowerBound]).trimmed()
        guard isFileName(name) else { return nil }
        if let dot = raw.range(of: " • "), raw[dot.upperBound...].unicodeScalars.contains(where: InvisibleMarks.isMark)
        {
            return name
        }
        var words = line.split(separator: " ").suffix(6)
        while !words.isEmpty {
            if stubs.contains(words.joined(separator: " ")) { return name }
            words.removeFirst()
        }
        return nil
    }
}
