package import ChatCore

/// A form in which chats are exported.
package enum HistoryFormat: String, Hashable, Sendable, Codable, CaseIterable {
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
    /// The folder of Synapse's `export-data`: all rooms of one person.
    case synapse
    /// Mattermost's bulk export.
    case mattermost

    /// The default name of the source of the people's ids.
    var defaultSource: String {
        switch self {
        case .jsonLines: "import"
        // The connector continues these rooms.
        case .synapse: "matrix"
        default: rawValue
        }
    }

    /// Whether its files are rooms of Matrix.
    var isMatrix: Bool { self == .element || self == .synapse }

    /// Whether its messages have ids; those without get ids of ``SynthesisedIDs``, and are aligned with stored ones.
    var hasMessageIDs: Bool { self != .whatsApp && self != .mattermost }
}

/// The operator's options for histories.
package struct HistoryOptions: Hashable, Sendable, Codable {
    /// The format; nil to detect it.
    package var format: HistoryFormat?
    /// The source of the people's ids, and the prefix of the export's ids; nil for the format's own name.
    package var source: String?
    /// The order of the parts of dates if the file is ambiguous; nil to refuse such a file.
    package var dateOrder: DateOrder?
    /// The IANA name of the zone of exports with local times; nil for UTC.
    package var timeZone: String?
    /// The conversation for a single WhatsApp chat, which has no id; nil to derive it from its name and first message.
    package var conversationID: ConversationID?
    /// The address of the Slack workspace, such as `https://acme.slack.com`, for links to its messages; exports do not
    /// contain it.
    package var workspaceURL: String?
    /// Whether the Slack export's `channels.json` has open channels only, which its entries do not say themselves.
    package var areChannelsOpen: Bool
    /// The present time, set by those who read: dates after it prove a wrong order or calendar.
    var now: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case format
        case source
        case dateOrder
        case timeZone
        case conversationID
        case workspaceURL
        case areChannelsOpen
    }

    /// Makes options.
    ///
    /// - Parameters:
    ///   - format: See ``format``.
    ///   - source: See ``source``.
    ///   - dateOrder: See ``dateOrder``.
    ///   - timeZone: See ``timeZone``.
    ///   - conversationID: See ``conversationID``.
    ///   - workspaceURL: See ``workspaceURL``.
    ///   - areChannelsOpen: See ``areChannelsOpen``.
    package init(
        format: HistoryFormat? = nil, source: String? = nil, dateOrder: DateOrder? = nil, timeZone: String? = nil,
        conversationID: ConversationID? = nil, workspaceURL: String? = nil, areChannelsOpen: Bool = false
    ) {
        self.format = format
        self.source = source
        self.dateOrder = dateOrder
        self.timeZone = timeZone
        self.conversationID = conversationID
        self.workspaceURL = workspaceURL
        self.areChannelsOpen = areChannelsOpen
    }

    /// The clock of exports with local times.
    func clock() throws(ImportFileError) -> LocalClock {
        guard let clock = ZoneClock(zone: timeZone ?? "UTC") else { throw .unknownTimeZone(timeZone ?? "") }
        return LocalClock(clock)
    }

    /// The same at a present time.
    func at(_ now: Timestamp) -> HistoryOptions {
        var options = self
        options.now = now
        return options
    }
}
