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
    /// Of a room in an export of Synapse: its states from before gaps.
    var states: [HistoryEntry] = []

    /// Its file; for a workspace of many files the first one.
    var file: HistoryFile {
        HistoryFile(location: location, entry: entry, states: format == .synapse ? states : nil)
    }

    /// Begins to read it.
    ///
    /// - Parameters:
    ///   - options: The operator's options.
    ///   - rooms: The Matrix rooms that are one conversation.
    /// - Returns: Its reader, before the first item.
    /// - Throws: ``ImportFileError``, errors of reading.
    func reader(_ options: HistoryOptions, rooms: ElementChains) throws -> any HistoryReader {
        let naming = HistoryNaming(source: source(options), workspaceURL: options.workspaceURL)
        switch format {
        case .jsonLines: return try JSONLinesHistory(file)
        case .whatsApp: return try WhatsAppHistory(file, naming: naming, options: options)
        case .mattermost: return try MattermostHistory(file, naming: naming)
        case .slack:
            return SlackHistory(
                location, prefix: SlackHistory.prefix(of: entry.path ?? "") ?? "", naming: naming,
                areChannelsOpen: options.areChannelsOpen)
        case .telegram:
            return ChatDocumentHistory(file, decoder: try TelegramDecoder(naming: naming, options: options))
        case .discord: return ChatDocumentHistory(file, decoder: DiscordDecoder(naming: naming))
        case .element, .synapse:
            return ChatDocumentHistory(
                file,
                decoder: ElementDecoder(naming: naming, chains: rooms, conversationID: options.conversationID))
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
    /// Files of forms that are not read.
    private(set) var foreign: [ForeignFormat: Int] = [:]
    private var hasPartsOfSlack = false

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
            guard parts.isEmpty else { return }
            if hasPartsOfSlack, format == nil || format == .slack {
                throw ImportFileError.partOfSlack(path: url.path)
            }
            guard format == nil, let likely = foreign.max(by: Self.isLessLikely) else {
                throw ImportFileError.noHistory(path: url.path)
            }
            throw ImportFileError.foreign(path: url.path, likely.key)
        }
    }

    /// A chat's form before any web page, then the more frequent one.
    private static func isLessLikely(
        _ one: (key: ForeignFormat, value: Int), than other: (key: ForeignFormat, value: Int)
    ) -> Bool {
        let (first, second) = (one.key.isOfChats ? 1 : 0, other.key.isOfChats ? 1 : 0)
        return (first, one.value, one.key.rawValue) < (second, other.value, other.key.rawValue)
    }

    /// The notes about files of other applications.
    var notes: [ImportNote] {
        foreign.filter(\.key.isOfChats).sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ImportNote(.unreadFormat, name: $0.key.name, count: $0.value) }
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
        case .foreign(let foreign) where format == nil: throw ImportFileError.foreign(path: path, foreign)
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
        var states: [String: [HistoryEntry]] = [:]
        while let entry = try walk.next() {
            byteCount = ByteSum.of(byteCount, entry.byteCount ?? 0)
            if let path = entry.path, SlackHistory.prefix(of: path) != nil { slack = slack ?? entry }
            let synapse = SynapseEvents.entry(at: entry.path)
            if case .state(let room)? = synapse {
                states[room, default: []].append(entry)
                if location.form == .archive { try Self.readOn(walk) }
            }
            if let synapse, !synapse.isEvents { continue }
            guard Self.mayHoldMessages(entry) else {
                otherFileCount += 1
                continue
            }
            // Days of Slack are read with their whole workspace.
            let isDay = SlackHistory.isDay(entry.name)
            let finding = isDay ? .partOfSlack : try FormatDetection.finding(walk)
            // A checksum shows at an entry's end: nothing is stored of an archive that is damaged.
            if location.form == .archive { try Self.readOn(walk) }
            guard case .format(let found) = finding, Self.isChat(entry), format == nil || format == found else {
                if case .foreign(let foreign) = finding { self.foreign[foreign, default: 0] += 1 }
                if finding == .partOfSlack { hasPartsOfSlack = true }
                otherFileCount += 1
                continue
            }
            add(found, location, entry)
        }
        for place in parts.indices where parts[place].format == .synapse {
            guard case .events(let room)? = SynapseEvents.entry(at: parts[place].entry.path) else { continue }
            parts[place].states = states[room] ?? []
        }
        if let slack, format == nil || format == .slack {
            // One workspace in many files; other files there are ignored.
            parts = [HistoryPart(location: location, format: .slack, entry: slack, byteCount: byteCount)]
            (otherFileCount, foreign) = (0, [:])
        }
        if !parts.isEmpty { parts[0].notes = (walk as? ArchiveWalk)?.rejections ?? [] }
    }

    private static func readOn(_ source: some ByteSource) throws {
        var source = source
        while try source.read() != nil {}
    }

    private static func ending(of entry: HistoryEntry) -> String {
        entry.name.split(separator: ".").last?.lowercased() ?? ""
    }

    /// Whether a file is looked at, at least to name a form that is not read.
    private static func mayHoldMessages(_ entry: HistoryEntry) -> Bool {
        let other: Set = ["html", "htm", "mbox", "log", "csv", "xml"]
        return isChat(entry) || other.contains(ending(of: entry))
    }

    private static func isChat(_ entry: HistoryEntry) -> Bool {
        if SynapseEvents.entry(at: entry.path)?.isEvents == true { return true }
        return ["json", "jsonl", "txt", "ndjson"].contains(ending(of: entry))
    }

    private mutating func add(_ format: HistoryFormat, _ location: HistoryLocation, _ entry: HistoryEntry) {
        parts.append(
            HistoryPart(location: location, format: format, entry: entry, byteCount: entry.byteCount ?? 0))
    }
}
