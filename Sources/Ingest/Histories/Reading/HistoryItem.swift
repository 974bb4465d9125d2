import ChatCore
import Foundation

/// Something that a reader found in a history, and where.
struct HistoryItem {
    /// The kind of item with its value.
    enum Content {
        /// A conversation with present or past members; another roster may add more.
        case roster(ConversationRoster)
        /// The name, email and kind of an author.
        case author(Identity)
        /// A message; a deleted one has neither text nor attachments.
        case message(Message, deletedAt: Timestamp?)
        /// A message that is stored already; see ``HistoryAlignment``.
        case known(Message)
        /// Something that is left out on purpose.
        case skipped(SkipReason)
        /// Something that cannot be taken, and why: never with any of its text.
        case rejected(reason: String)
        /// Something that was taken in a narrower or simpler form.
        case noted(ImportNote)
    }

    let content: Content
    let place: HistoryPlace
}

/// A place in a history.
package struct HistoryPlace: Hashable, Sendable, Codable {
    /// The unit of a place's number.
    package enum Unit: String, Hashable, Sendable, Codable {
        /// Lines of a text.
        case line
        /// Elements of a list.
        case item
        /// Entries of an archive.
        case entry
    }

    /// The file's path within an archive or folder; nil for a single file.
    package let entry: String?
    /// The number of the line or element, from 1; nil for the whole file.
    package let number: Int?
    /// The unit of ``number``.
    package let unit: Unit

    init(entry: String? = nil, number: Int? = nil, unit: Unit) {
        self.entry = entry
        self.number = number
        self.unit = unit
    }
}

/// Why something of a history is left out on purpose.
package enum SkipReason: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// The chat application's own notice: joined, left, renamed, pinned, called.
    case notice
    /// A message whose picture, sound or file was left out of the export, and that says nothing else.
    case mediaLeftOut
    /// A message without text and attachments.
    case empty
    /// The record of an edit, a deletion or a reaction, which is applied to its message or dropped.
    case change
    /// A file of an archive or folder without messages.
    case otherFile

    /// A description of the reason, for operators.
    package var text: String {
        switch self {
        case .notice: "notices of the application"
        case .mediaLeftOut: "media that the export leaves out"
        case .empty: "messages without text"
        case .change: "notes of edits, deletions and reactions"
        case .otherFile: "files without messages"
        }
    }
}

/// Something that could not be taken.
package struct RejectedItem: Hashable, Sendable, Codable {
    /// The file's path as given.
    package let file: String
    /// The place in the file.
    package let place: HistoryPlace
    /// Why, without any of its text.
    package let reason: String

    /// The same with a path that does not show a folder.
    package func withoutFolder(_ folder: String) -> RejectedItem {
        RejectedItem(file: file.replacingOccurrences(of: folder, with: ""), place: place, reason: reason)
    }

    /// File, place and reason in one line.
    package var line: String {
        let entry = place.entry.map { " \($0):" } ?? ""
        guard let number = place.number else { return "\(file):\(entry) \(reason)" }
        // For a single file, editors can jump to its line.
        if place.entry == nil, place.unit == .line { return "\(file):\(number): \(reason)" }
        return "\(file):\(entry) \(place.unit.rawValue) \(number): \(reason)"
    }
}
