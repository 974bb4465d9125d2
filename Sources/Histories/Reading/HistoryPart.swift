import Foundation

/// A history of one format within the given files.
struct HistoryPart {
    let location: HistoryLocation
    let format: HistoryFormat
    /// Its file; for a workspace of many files the first one.
    let entry: HistoryEntry
    /// The bytes to read, if known.
    var byteCount: Int
    /// Items to report before its own.
    var notes: [HistoryItem] = []

    /// Begins to read it.
    ///
    /// - Throws: ``ImportFileError``, errors of reading.
    func reader(_ options: HistoryOptions) throws -> any HistoryReader {
        let file = HistoryFile(location: location, entry: entry)
        let naming = HistoryNaming(source: source(options), workspaceURL: options.workspaceURL)
        switch format {
        case .jsonLines: return try JSONLinesHistory(file)
        case .whatsApp: return try WhatsAppHistory(file, naming: naming, options: options)
        case .mattermost: return try MattermostHistory(file, naming: naming)
        case .slack:
            return SlackHistory(location, prefix: SlackHistory.prefix(of: entry.path ?? "") ?? "", naming: naming)
        case .telegram:
            return ChatDocumentHistory(file, decoder: try TelegramDecoder(naming: naming, options: options))
        case .discord: return ChatDocumentHistory(file, decoder: DiscordDecoder(naming: naming))
        case .element: return ChatDocumentHistory(file, decoder: ElementDecoder(naming: naming))
        }
    }

    /// The source of the people's ids.
    func source(_ options: HistoryOptions) -> String { options.source ?? format.defaultSource }
}

/// The histories in a file, a folder or an archive.
struct HistoryFinding {
    var parts: [HistoryPart] = []
    /// Files without messages.
    var otherFileCount = 0

    /// Searches for histories.
    ///
    /// - Parameters:
    ///   - url: A file, a folder or an archive.
    ///   - format: The format according to the operator; nil to detect it.
    /// - Throws: ``ImportFileError`` when there is none.
    init(_ url: URL, format: HistoryFormat?) throws {
        let location = try HistoryLocation(url)
        if location.form == .file {
            try addFile(at: location, format: format)
        } else {
            try addEntries(of: location, format: format)
            guard !parts.isEmpty else { throw ImportFileError.noHistory(path: url.path) }
        }
    }

    private mutating func addFile(at location: HistoryLocation, format: HistoryFormat?) throws {
        let path = location.url.path
        guard let entry = try location.walk().next() else { throw ImportFileError.unreadable(path: path) }
        let file = HistoryFile(location: location, entry: entry)
        let finding = try FormatDetection.finding(file)
        if finding == .utf16 { throw ImportFileError.utf16(path: path) }
        guard format != .slack else { throw ImportFileError.partOfSlack(path: path) }
        let isJSONLines = location.url.pathExtension.lowercased() == "jsonl"
        switch finding {
        case .format(let found): add(format ?? found, location, entry)
        case .evaluation: add(format ?? .jsonLines, location, entry)
        case .partOfSlack where format == nil: throw ImportFileError.partOfSlack(path: path)
        default:
            guard let format = format ?? (isJSONLines ? .jsonLines : nil) else {
                throw ImportFileError.unknownFormat(path: path)
            }
            add(format, location, entry)
        }
    }

    private mutating func addEntries(of location: HistoryLocation, format: HistoryFormat?) throws {
        let walk = try location.walk()
        var slack: HistoryEntry?
        var byteCount = 0
        while let entry = try walk.next() {
            byteCount = ByteSum.of(byteCount, entry.byteCount ?? 0)
            if let path = entry.path, SlackHistory.prefix(of: path) != nil { slack = slack ?? entry }
            guard Self.mayHoldMessages(entry) else {
                otherFileCount += 1
                continue
            }
            let found = try Self.format(of: entry, in: walk, wanted: format)
            // A checksum shows at an entry's end: nothing is stored of an archive that is damaged.
            if location.form == .archive { try Self.readOn(walk) }
            guard let found else {
                otherFileCount += 1
                continue
            }
            add(found, location, entry)
        }
        if let slack, format == nil || format == .slack {
            // One workspace in many files; other files there are ignored.
            parts = [HistoryPart(location: location, format: .slack, entry: slack, byteCount: byteCount)]
            otherFileCount = 0
        }
        if !parts.isEmpty { parts[0].notes = (walk as? ArchiveWalk)?.rejections ?? [] }
    }

    private static func readOn(_ source: some ByteSource) throws {
        var source = source
        while try source.read() != nil {}
    }

    private static func mayHoldMessages(_ entry: HistoryEntry) -> Bool {
        let ending = entry.name.split(separator: ".").last?.lowercased() ?? ""
        return ["json", "jsonl", "txt", "ndjson"].contains(ending)
    }

    /// The format of an entry; nil for one without messages.
    private static func format(
        of entry: HistoryEntry, in walk: any HistoryWalk, wanted: HistoryFormat?
    ) throws -> HistoryFormat? {
        guard !SlackHistory.isDay(entry.name) else { return nil }
        guard case .format(let found) = try FormatDetection.finding(walk) else { return nil }
        return wanted == nil || wanted == found ? found : nil
    }

    private mutating func add(_ format: HistoryFormat, _ location: HistoryLocation, _ entry: HistoryEntry) {
        parts.append(
            HistoryPart(location: location, format: format, entry: entry, byteCount: entry.byteCount ?? 0))
    }
}
