import Foundation

/// Texts that the application writes instead of a person's text, in the languages of its users.
///
/// On iOS such text begins with a mark of direction, which people do not type; on Android it does not.
enum WhatsAppNotice {
    /// A text without the application's additions.
    struct Content: Equatable {
        var text: String
        var attachment: String?
        var isDeleted = false
        /// The picture, sound or file was left out of the export.
        var isMediaLeftOut = false
        /// The application itself speaks.
        var isNotice = false
    }

    /// Takes a message's text apart.
    static func content(of raw: String) -> Content {
        let isMarked = raw.unicodeScalars.first?.value == 0x200E
        var content = Content(text: InvisibleMarks.removed(withoutEditMark(raw)).trimmed())
        if deletions.contains(folded(content.text)) {
            return Content(text: "", isDeleted: true)
        }
        if let (name, rest) = attachedFile(in: content.text, raw: raw) {
            content.text = rest
            content.attachment = name
            return content
        }
        if isOmitted(content.text, isMarked: isMarked, raw: raw) {
            if let name = omittedName(in: content.text) { return Content(text: "", attachment: name) }
            return Content(text: "", isMediaLeftOut: true)
        }
        // Polls and places are marked too, but are written by people.
        if isMarked { content.isNotice = !content.text.contains("\n") && !content.text.contains("://") }
        return content
    }

    /// Lower case, without the last full stop.
    private static func folded(_ text: String) -> String {
        var text = text.lowercased()
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// Removes `<This message was edited>` from the end.
    private static func withoutEditMark(_ text: String) -> String {
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else { return text }
        let inside = InvisibleMarks.removed(String(text[text.index(after: open)...].dropLast()))
        return editMarks.contains(folded(inside)) ? String(text[..<open]) : text
    }

    /// Finds `<attached: 0001-PHOTO.jpg>` of iOS, `IMG-2025-WA0001.jpg (file attached)` of Android.
    private static func attachedFile(in text: String, raw: String) -> (name: String, rest: String)? {
        if text.hasSuffix(">"), let open = text.lastIndex(of: "<"), let colon = text[open...].firstIndex(of: ":") {
            let label = text[text.index(after: open)..<colon].trimmingCharacters(in: .whitespaces).lowercased()
            let name = String(text[text.index(after: colon)...].dropLast()).trimmed()
            if attachedLabels.contains(label), isFileName(name) { return (name, String(text[..<open]).trimmed()) }
        }
        let firstLine = text.prefix { $0 != "\n" }
        guard firstLine.hasSuffix(")"), let open = firstLine.lastIndex(of: "("), open > firstLine.startIndex,
            attachedNotes.contains(firstLine[firstLine.index(after: open)...].dropLast().lowercased())
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

    /// The name of a document that was left out: `plan.pdf • 3 pages document omitted`.
    private static func omittedName(in text: String) -> String? {
        guard let dot = text.range(of: " • ") else { return nil }
        let name = String(text[..<dot.lowerBound]).trimmed()
        return isFileName(name) ? name : nil
    }

    /// `<Media omitted>`, and of iOS `image omitted`, `plan.pdf • 3 pages document omitted`.
    private static func isOmitted(_ text: String, isMarked: Bool, raw: String) -> Bool {
        let text = text.lowercased()
        if omissions.contains(text) { return true }
        guard !text.contains("\n") else { return false }
        // If a document's name comes first, the mark is before the last words.
        let hasMark = isMarked || raw.unicodeScalars.contains { $0.value == 0x200E }
        return hasMark && omittedEndings.contains { text.hasSuffix($0) }
    }
}
