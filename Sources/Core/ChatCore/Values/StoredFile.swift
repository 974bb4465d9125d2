/// The id of a file that people attach to messages.
public typealias FileID = Identifier<StoredFile>

/// A file that the server keeps.
public struct StoredFile: Hashable, Sendable {
    /// The id, chosen by the server.
    public let id: FileID
    /// The cleaned name; see ``FileName``.
    public var name: String
    /// The media type that its bytes show; see ``MediaType``.
    public var mediaType: MediaType
    /// The number of its bytes.
    public var byteCount: Int
    /// SHA-256 of its bytes, in hexadecimal digits.
    public var sha256: String

    public init(id: FileID, name: String, mediaType: MediaType, byteCount: Int, sha256: String) {
        self.id = id
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}

/// A file that begins to arrive.
public struct FileDraft: Hashable, Sendable {
    /// The id: letters, digits, `-` and `_`, because it names a file on the disk.
    public let id: FileID
    /// The person who sends it.
    public let ownerID: UserID
    /// The name as it was given; nil if there is none.
    public let name: String?
    /// The present time.
    public let moment: Timestamp

    public init(id: FileID, ownerID: UserID, name: String?, moment: Timestamp) {
        self.id = id
        self.ownerID = ownerID
        self.name = name
        self.moment = moment
    }
}

/// The limits of stored files.
public struct FileLimits: Hashable, Sendable {
    /// The most bytes of one file.
    public var fileBytes: Int
    /// The most bytes of all files together.
    public var totalBytes: Int
    /// The most bytes of all files that one person uploaded; not less than those of one file.
    public var personBytes: Int
    /// The most files of one person that no message has.
    public var unattachedCount: Int
    /// The most bytes of these files of one person together; not less than those of one file.
    public var unattachedBytes: Int
    /// The types of files whose words are read out of them; office documents are ``MediaType/zip``.
    public var readTypes: Set<MediaType>

    /// - Parameters:
    ///   - fileBytes: The most bytes of one file.
    ///   - totalBytes: The most bytes of all files together.
    ///   - personBytes: The most bytes of all files that one person uploaded; nil for a tenth of `totalBytes`.
    ///   - unattachedCount: The most files of one person that no message has.
    ///   - unattachedBytes: The most bytes of these files; nil for as many as one message can have.
    ///   - readTypes: The types of files whose words are read out of them.
    public init(
        fileBytes: Int = 25 << 20, totalBytes: Int = 10 << 30, personBytes: Int? = nil, unattachedCount: Int = 50,
        unattachedBytes: Int? = nil, readTypes: Set<MediaType> = documentTypes
    ) {
        self.fileBytes = fileBytes
        self.totalBytes = totalBytes
        self.personBytes = max(personBytes ?? totalBytes / Self.personParts, fileBytes)
        self.unattachedCount = unattachedCount
        self.readTypes = readTypes
        self.unattachedBytes = max(unattachedBytes ?? Self.perMessage * fileBytes, fileBytes)
    }

    /// Returns whether a person may have one more file without a message.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes of the file.
    ///   - others: The person's other files without a message.
    ///   - otherBytes: The bytes of these.
    /// - Returns: False if there would be too many files, or too many bytes.
    public func admits(_ byteCount: Int, besides others: Int, of otherBytes: Int) -> Bool {
        others < unattachedCount && byteCount <= unattachedBytes - otherBytes
    }

    /// Returns whether the words of a file are read out of it after its message was stored.
    ///
    /// An office document with a password is in a container that only its name tells from others.
    public func reads(_ file: StoredFile) -> Bool {
        let endings = [".docx", ".xlsx", ".pptx"]
        return readTypes.contains(file.mediaType)
            || file.mediaType == .bytes && readTypes.contains(.zip)
                && endings.contains { file.name.lowercased().hasSuffix($0) }
    }

    /// The types of documents.
    public static let documentTypes: Set<MediaType> = [.pdf, .zip, .html, .mail]
    /// The types of pictures that are read for their words.
    public static let pictureTypes: Set<MediaType> = [.png, .jpeg, .webp]
    /// The share of a person is this part of all, unless it is set.
    public static let personParts = 10
    /// How long a file is kept that no message has.
    public static let unattachedLifetime = Duration.seconds(24 * 3_600)
    /// The most files of one message.
    public static let perMessage = 10
    /// The longest text file whose words are searched, in bytes.
    public static let searchedBytes = 256 * 1024
}

/// The files that one person uploaded.
public struct FileUse: Hashable, Sendable {
    /// Their number.
    public var count: Int
    /// Their bytes.
    public var byteCount: Int

    public init(count: Int = 0, byteCount: Int = 0) {
        self.count = count
        self.byteCount = byteCount
    }
}

/// Reads the bytes of a file that its reader may see.
///
/// A file in a folder can be read to its end although it is deleted meanwhile. Bytes in a database go with their file:
/// reading on fails with ``FileError/noSuchFile(_:)``.
public struct FileContent: Sendable {
    private let piece: @Sendable (_ offset: Int, _ count: Int) async throws -> [UInt8]

    /// - Parameter piece: Returns at most `count` bytes from `offset` on; none only at the end.
    public init(piece: @escaping @Sendable (_ offset: Int, _ count: Int) async throws -> [UInt8]) {
        self.piece = piece
    }

    /// Returns at most `count` bytes from `offset` on; none only at the end.
    public func bytes(from offset: Int, count: Int) async throws -> [UInt8] { try await piece(offset, count) }
}

/// Why a file cannot be stored or read, in addition to ``RepositoryError``.
public enum FileError: Error, Equatable, Sendable {
    /// The file does not exist, or the asker may not see it: the two look the same.
    case noSuchFile(FileID)
    /// The file has more bytes than a file may have.
    case tooLarge(limit: Int)
    /// All files together would have more bytes than they may have.
    case folderFull
    /// The files of this person would have more bytes than those of one person may have.
    case shareFull(limit: Int)
    /// The person has too many files that no message has, or too many bytes of them.
    case tooManyUnattached(FileLimits)
    /// The bytes stopped arriving before the end.
    case interrupted
}
