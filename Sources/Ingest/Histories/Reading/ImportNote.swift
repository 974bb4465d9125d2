/// Something that an import took in a narrower or simpler form than the source has it, and how often.
package struct ImportNote: Hashable, Sendable, Codable {
    /// What was narrower or simpler.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Conversations that only members read, because the source does not say in known words that everybody may.
        case membersOnly
        /// Content of a kind that is not understood: only its plain text was taken.
        case unknownContent
        /// Files of a format that is not read.
        case unreadFormat
        /// Rooms that continue another one and stay apart.
        case apart
    }

    /// What was narrower or simpler.
    package let kind: Kind
    /// The kind of content, or the format; nil if ``kind`` says everything.
    package let name: String?
    /// How often.
    package private(set) var count: Int

    init(_ kind: Kind, name: String? = nil, count: Int = 1) {
        self.kind = kind
        self.name = name
        self.count = count
    }

    /// A note about content of a kind that is not understood.
    ///
    /// - Parameters:
    ///   - place: Where it is, such as `slack block`.
    ///   - name: The source's own name for it, which may be anything: another than a plain word is not repeated.
    /// - Returns: The note, which counts once.
    static func unknown(_ place: String, _ name: String?) -> ImportNote {
        let isWord = (name ?? "").utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        guard let name, !name.isEmpty, name.utf8.count <= 60, isWord else {
            return ImportNote(.unknownContent, name: place)
        }
        return ImportNote(.unknownContent, name: "\(place) \(name)")
    }

    /// A description for operators.
    package var text: String {
        switch kind {
        case .membersOnly:
            "readable by members only: the export does not say that everybody may read them (Slack: see --open-channels)"
        case .unknownContent: "taken as plain text: \(name ?? "content") is not understood"
        case .unreadFormat: "files not read: \(name ?? "another format")"
        case .apart: "rooms that continue another room stay apart: import both together"
        }
    }
}

extension [ImportNote] {
    /// The most different notes; a source can make up kinds of content.
    private static let limit = 100

    /// Adds a note, or its count to that of an equal one.
    mutating func add(_ note: ImportNote) {
        if let index = firstIndex(where: { $0.kind == note.kind && $0.name == note.name }) {
            self[index] = ImportNote(note.kind, name: note.name, count: self[index].count + note.count)
        } else if note.name == nil || count < Self.limit {
            append(note)
        } else {
            add(ImportNote(note.kind, count: note.count))
        }
    }
}

/// Collects what a reader does not understand, until it is reported with the element that it was in.
final class UnknownContent {
    private var notes: [ImportNote] = []

    /// How many kinds wait to be reported.
    var count: Int { notes.count }

    func add(_ place: String, _ name: String?) { notes.append(.unknown(place, name)) }

    /// Returns the notes and forgets them.
    func take() -> [HistoryItem.Content] {
        defer { notes = [] }
        return notes.map { .noted($0) }
    }
}
