import ArgumentParser
import ChatCore
import Foundation
import Histories
import MessageStore

/// `nexus import`.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports chat histories; a repeated import adds only new messages.",
        discussion: """
            Formats, detected from the file: Slack (zip or folder), WhatsApp (text or zip), Telegram Desktop \
            (result.json), DiscordChatExporter (JSON), Element (JSON), Synapse (folder of export-data), Mattermost (bulk \
            export), and our own JSON lines. Each line is a conversation ({"id", "name", "kind", "participants": [{"id", "name"}]}) or a message \
            ({"id", "conversationId", "senderId", "senderName", "text", "timestamp"}), conversations first. Items that \
            cannot be imported are listed with their place and the reason; everything else is stored.
            """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "Files, folders, zip or tar archives.", completion: .file()) var files: [String]
    @Option(help: "The format: \(HistoryFormat.allCases.map(\.rawValue).joined(separator: ", ")), or auto.")
    var format = "auto"
    @Option(help: "The name of the source of people's ids; the default is the format, or \"import\" for JSON lines.")
    var source: String?
    @Option(help: "The order of dates that are ambiguous: dmy, mdy or ymd.") var dateOrder: String?
    @Option(help: "The IANA name of the time zone of exports with local times; the default is UTC.")
    var timeZone: String?
    @Option(help: "The id of the conversation that a WhatsApp chat or a Matrix room continues.")
    var conversation: String?
    @Option(help: "The address of the Slack workspace, https://TEAM.slack.com, for links to its messages.")
    var workspaceURL: String?
    @Flag(help: "Say that channels.json of the Slack export has open channels only, which everybody may read.")
    var openChannels = false
    @Flag(help: "Read everything, write nothing, and show what would be imported, compared with what is stored.")
    var dryRun = false
    @Flag(help: "Print the counts as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let options = try historyOptions()
            let settings = try await common.settings()
            let urls = files.map { URL(filePath: $0).absoluteURL }
            if dryRun {
                try await preview(urls, options: options, settings: settings)
            } else {
                try await importing(urls, options: options, settings: settings)
            }
        }
    }

    private func importing(_ files: [URL], options: HistoryOptions, settings: NexusSettings) async throws {
        let outcome = try await CommandSession(settings: settings).perform(
            .importHistory(files: files.map(\.path), options: options), createsFolder: true)
        guard case .imported(let report, let waiting) = outcome else { throw Failures.unexpectedReply }
        if json { try Console.printJSON(report) } else { Rendering.show(report, waiting: waiting) }
        if report.rejectedItems > 0 || report.isEmpty { throw ExitCode(1) }
    }

    private func preview(_ files: [URL], options: HistoryOptions, settings: NexusSettings) async throws {
        let (summary, changes) = try await previewed(files, options: options, settings: settings)
        if json {
            try Console.printJSON(PreviewReport(summary: summary, memberships: changes))
        } else {
            Rendering.show(summary, changes: changes)
        }
        if summary.rejectedItems > 0 || summary.isEmpty { throw ExitCode(1) }
    }

    /// Returns the content of the files, compared with the data folder if there is one.
    private func previewed(
        _ files: [URL], options: HistoryOptions, settings: NexusSettings
    ) async throws -> (HistorySummary, [MembershipPreview]) {
        let price = settings.embedding.pricePerMillion
        guard settings.database != nil || FileManager.default.fileExists(atPath: settings.dataFolder.path) else {
            var summary = try await alone(files, options: options)
            summary.cost = price.map { $0 * Double(summary.tokenCount) / 1_000_000 }
            let changes = summary.conversations.map { place in
                MembershipPreview(
                    conversationID: place.id, joining: place.readers.filter { $0.leftAt == nil }.map(\.id), leaving: [])
            }
            return (summary, changes)
        }
        let outcome = try await CommandSession(settings: settings).perform(
            .previewImport(files: files.map(\.path), options: options))
        guard case .importPreviewed(var summary, let changes) = outcome else { throw Failures.unexpectedReply }
        // A server that owns the folder may have no price.
        summary.cost = price.map { $0 * Double(summary.tokenCount) / 1_000_000 } ?? summary.cost
        return (summary, changes)
    }

    /// Reads the files without a data folder.
    private func alone(_ files: [URL], options: HistoryOptions) async throws -> HistorySummary {
        let display = EventDisplay()
        defer { display.close() }
        return try await HistoryPreview(options: options, now: .systemNow()).run(files) { progress in
            display.show(
                .progress(
                    StageProgress(stage: .importing, done: progress.byteCount, total: progress.totalByteCount)))
        } rejected: { item in
            display.show(.rejected(item))
        }
    }

    private func historyOptions() throws -> HistoryOptions {
        if let timeZone, ZoneClock(zone: timeZone) == nil {
            throw ValidationError("--time-zone must be the IANA name of a time zone")
        }
        return HistoryOptions(
            format: try format == "auto" ? nil : Self.value(format, of: "--format"), source: try checkedSource(),
            dateOrder: try dateOrder.map { try Self.value($0, of: "--date-order") }, timeZone: timeZone,
            conversationID: try checkedConversation(), workspaceURL: try checkedWorkspace(),
            areChannelsOpen: openChannels)
    }

    private func checkedConversation() throws -> ConversationID? {
        guard let conversation else { return nil }
        guard let id = ConversationID(validating: conversation) else {
            throw ValidationError("--conversation must be an id")
        }
        return id
    }

    private func checkedWorkspace() throws -> String? {
        guard let workspaceURL else { return nil }
        let address = workspaceURL.hasSuffix("/") ? String(workspaceURL.dropLast()) : workspaceURL
        guard MessageLink.isUsable(address), !address.contains("?"), !address.contains("#") else {
            throw ValidationError("--workspace-url must be an address such as https://TEAM.slack.com")
        }
        return address
    }

    private func checkedSource() throws -> String? {
        guard let source else { return nil }
        guard !source.isEmpty, source.utf8.count <= 64, !source.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw ValidationError("--source must have 1 to 64 bytes and no control characters")
        }
        return source
    }

    private static func value<Choice: RawRepresentable & CaseIterable>(
        _ text: String, of option: String
    ) throws -> Choice where Choice.RawValue == String {
        guard let value = Choice(rawValue: text) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(option) must be one of \(choices)")
        }
        return value
    }
}

/// The preview of an import, as JSON.
private struct PreviewReport: Encodable {
    var summary: HistorySummary
    var memberships: [MembershipPreview]

    private enum Key: String, CodingKey {
        case memberships
    }

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(memberships, forKey: .memberships)
    }
}
