/// What is known of the words of a file.
public struct FileReading: Hashable, Sendable, Codable {
    /// How far the reading is.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was not read yet.
        case waiting
        /// Its words are searched.
        case read
        /// It has no words: a picture of a page, for example.
        case noText = "no_text"
        /// It unpacks to more than is read.
        case tooLarge = "too_large"
        /// A password is needed.
        case protected
        /// It could not be read; see ``FileReading/problem``.
        case failed
        /// Its bytes are not here, because the server that its message comes from did not send them; see
        /// ``FileReading/problem``.
        case notFetched = "not_fetched"
    }

    /// What the parts of a document are.
    public enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
        case page, sheet, slide
        /// A part of a mail: what its sender wrote, an earlier mail that it quotes, or a file that came with it.
        case part
    }

    /// Why a file could not be read, or was not fetched.
    public enum Problem: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is cut off, or not what it seems to be.
        case damaged
        case tookTooLong = "took_too_long"
        /// The process that read it ended without a result.
        case crashed
        /// It is encrypted on the server that it comes from.
        case encrypted
        /// That server does not have it any more.
        case gone
        /// That server does not give it to Nexus.
        case refused
        /// It is larger than files may be here.
        case fileTooLarge = "file_too_large"
        /// That server cannot be reached, or fails.
        case sourceAway = "source_away"
        /// The share of its sender, or the space for all files, is used up.
        case noRoom = "no_room"
    }

    /// How far the reading is.
    public var state: State
    /// What a form feed ends in the words of the file; nil if it has no parts.
    public var unit: Unit?
    /// The names of the parts, in order, for example of sheets; nil if their numbers are their names.
    public var labels: [String]?
    /// True if only the beginning of its words is searched.
    public var isCut: Bool?
    /// True if words were recognised in pictures, so that some may be wrong.
    public var isRecognized: Bool?
    /// Why it could not be read or fetched; with ``State/waiting`` why it is fetched later.
    public var problem: Problem?

    public init(_ state: State, unit: Unit? = nil, problem: Problem? = nil) {
        self.state = state
        self.unit = unit
        self.problem = problem
    }
}

/// A place in a file of a message.
public struct FilePlace: Hashable, Sendable {
    /// The file.
    public let fileID: FileID
    /// Its name.
    public let name: String
    /// What ``number`` counts; nil if the file has no parts.
    public let unit: FileReading.Unit?
    /// The part, from 1; nil if the file has no parts.
    public let number: Int?
    /// The name of the part; nil if its number is its name.
    public let label: String?

    public init(fileID: FileID, name: String, unit: FileReading.Unit? = nil, number: Int? = nil, label: String? = nil) {
        self.fileID = fileID
        self.name = name
        self.unit = unit
        self.number = number
        self.label = label
    }
}

extension Message {
    /// Returns the part of a file of the message in which a place of its searchable text is; nil within what is shown.
    ///
    /// - Parameter place: UTF-8 bytes of ``searchableText``.
    /// - Returns: The file and its part, and the UTF-8 bytes of the part in ``searchableText``.
    public func filePart(at place: Range<Int>) -> (place: FilePlace, range: Range<Int>)? {
        // As in `searchableText(_:attachments:)`.
        var start = shownText.utf8.count + 1
        for attachment in attachments {
            guard let content = attachment.content, !content.isEmpty else { continue }
            let end = start + content.utf8.count
            if place.lowerBound >= start, place.lowerBound < end, let id = attachment.id {
                let part = Self.part(at: place.lowerBound - start, of: content, in: attachment, id: id)
                return (part.place, start + part.range.lowerBound..<start + part.range.upperBound)
            }
            start = end + 1
        }
        return nil
    }

    private static func part(
        at offset: Int, of content: String, in attachment: Attachment, id: FileID
    ) -> (place: FilePlace, range: Range<Int>) {
        guard let unit = attachment.reading?.unit else {
            return (FilePlace(fileID: id, name: attachment.name), 0..<content.utf8.count)
        }
        // A form feed ends each part.
        let (formFeed, bytes) = (UInt8(0x0C), Array(content.utf8))
        let start = bytes[..<offset].lastIndex(of: formFeed).map { $0 + 1 } ?? 0
        let end = bytes[offset...].firstIndex(of: formFeed) ?? bytes.count
        let number = 1 + bytes[..<offset].count { $0 == formFeed }
        let labels = attachment.reading?.labels ?? []
        let label = labels.indices.contains(number - 1) ? labels[number - 1] : ""
        let place = FilePlace(
            fileID: id, name: attachment.name, unit: unit, number: number, label: label.isEmpty ? nil : label)
        return (place, start..<end)
    }
}
