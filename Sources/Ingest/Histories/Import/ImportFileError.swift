package import ChatCore

/// Why a file cannot be imported.
package enum ImportFileError: Error, Equatable, Sendable {
    /// There is no such file.
    case missing(path: String)
    /// It is neither a file nor a folder: a history is read more than once, which is impossible with a pipe.
    case notAFile(path: String)
    /// It cannot be read.
    case unreadable(path: String)
    /// It is an archive that cannot be read to its end.
    case damagedArchive(path: String, reason: String)
    /// It has no known format.
    case unknownFormat(path: String)
    /// It has a known format that is not read.
    case foreign(path: String, ForeignFormat)
    /// It is text in UTF-16 instead of UTF-8.
    case utf16(path: String)
    /// It is one file of many: the whole zip or folder is needed.
    case partOfSlack(path: String)
    /// The folder or archive contains no history.
    case noHistory(path: String)
    /// The folder contains too many files.
    case tooManyFiles(path: String)
    /// The dates can be read in more than one order.
    case unclearDateOrder(path: String)
    /// Its dates are of no calendar that is read, or lie in the future.
    case unknownCalendar(path: String)
    /// A conversation id was given, but this is not a single chat of WhatsApp or room of Element.
    case notOneChat(ConversationID)
    /// No such time zone.
    case unknownTimeZone(String)
}
