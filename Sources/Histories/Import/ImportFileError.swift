public import ChatCore

/// Why a file cannot be imported.
public enum ImportFileError: Error, Equatable, Sendable {
    /// There is no such file.
    case missing(path: String)
    /// It is neither a file nor a folder: a history is read more than once, which a pipe does not let happen.
    case notAFile(path: String)
    /// It cannot be read.
    case unreadable(path: String)
    /// It is an archive that cannot be read to its end.
    case damagedArchive(path: String, reason: String)
    /// It is none of the formats that are known.
    case unknownFormat(path: String)
    /// It is text in UTF-16, where UTF-8 is wanted.
    case utf16(path: String)
    /// It is one file of many: the whole zip or folder is wanted.
    case partOfSlack(path: String)
    /// The folder or archive holds no history.
    case noHistory(path: String)
    /// The folder holds more files than may be.
    case tooManyFiles(path: String)
    /// The dates can be read in more than one order.
    case unclearDateOrder(path: String)
    /// A conversation was named for what is not one chat of WhatsApp.
    case notOneChat(ConversationID)
    /// No such time zone.
    case unknownTimeZone(String)
}
