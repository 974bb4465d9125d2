public import ChatCore

/// A form in which chats are exported.
public enum HistoryFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// Our own: one conversation or message a line.
    case jsonLines = "jsonl"
    /// A workspace of Slack: zip or folder.
    case slack
    /// A chat of WhatsApp: text or zip.
    case whatsApp = "whatsapp"
    /// `result.json` of Telegram Desktop: one chat or all.
    case telegram
    /// JSON of DiscordChatExporter: one channel a file.
    case discord
    /// JSON of Element: one Matrix room a file.
    case element
    /// Mattermost's bulk export.
    case mattermost

    /// What the source of the people's ids is called when nobody says otherwise.
    var defaultSource: String { self == .jsonLines ? "import" : rawValue }
}

/// What the operator says about histories.
public struct HistoryOptions: Hashable, Sendable, Codable {
    /// The format; nil to tell it from the file.
    public var format: HistoryFormat?
    /// Where the people's ids come from, and how ids of the export begin; nil for the format's own name.
    public var source: String?
    /// In which order dates are written where the file leaves it open; nil to refuse such a file.
    public var dateOrder: DateOrder?
    /// The IANA name of the zone of exports that tell local times only; nil for UTC.
    public var timeZone: String?
    /// The conversation that one chat of WhatsApp is put into, which tells no id of its own; nil to find it by its name
    /// and first message.
    public var conversationID: ConversationID?
    /// The address of the Slack workspace, such as `https://acme.slack.com`, for links to its messages; an export does
    /// not say it.
    public var workspaceURL: String?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - format: See ``format``.
    ///   - source: See ``source``.
    ///   - dateOrder: See ``dateOrder``.
    ///   - timeZone: See ``timeZone``.
    ///   - conversationID: See ``conversationID``.
    ///   - workspaceURL: See ``workspaceURL``.
    public init(
        format: HistoryFormat? = nil, source: String? = nil, dateOrder: DateOrder? = nil, timeZone: String? = nil,
        conversationID: ConversationID? = nil, workspaceURL: String? = nil
    ) {
        self.format = format
        self.source = source
        self.dateOrder = dateOrder
        self.timeZone = timeZone
        self.conversationID = conversationID
        self.workspaceURL = workspaceURL
    }

    /// The clock of exports that tell local times only.
    func clock() throws(ImportFileError) -> ZoneClock {
        guard let clock = ZoneClock(zone: timeZone ?? "UTC") else { throw .unknownTimeZone(timeZone ?? "") }
        return clock
    }
}
