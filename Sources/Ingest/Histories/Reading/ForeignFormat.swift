import Foundation

/// A form of chats that people have, and that is not read.
package enum ForeignFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// Telegram Desktop's `messages.html`.
    case telegramHTML
    /// What Discord sends on request: the owner's messages only.
    case discordPackage
    /// HTML, text or CSV of DiscordChatExporter.
    case discordOther
    /// HTML of Element.
    case elementOther
    /// A channel in slackdump's own form.
    case slackDump
    /// `message_1.json` of Facebook or Instagram, or the export of an encrypted chat.
    case messenger
    /// The text that LINE writes.
    case line
    /// The text or table that KakaoTalk writes.
    case kakaoTalk
    /// Messages as Microsoft Graph has them.
    case teams
    /// The `messages.json` that Skype and Teams Free give.
    case skype
    /// Google Takeout's `messages.json` and `group_info.json`.
    case googleChat
    /// Mail in one file.
    case mailbox
    /// A log of an IRC client or bouncer.
    case irc
    /// XML of SMS Backup & Restore.
    case textMessages
    /// HTML of something else.
    case webPage
    /// A JSON list of something else.
    case jsonList
    /// A database of an application.
    case database

    /// The name of the form.
    package var name: String {
        switch self {
        case .telegramHTML: "an export of Telegram as web pages"
        case .discordPackage: "Discord's own data package"
        case .discordOther: "an export of DiscordChatExporter that is not JSON"
        case .elementOther: "an export of Element that is not JSON"
        case .slackDump: "a dump of slackdump"
        case .messenger: "a chat of Messenger or Instagram"
        case .line: "a chat of LINE"
        case .kakaoTalk: "a chat of KakaoTalk"
        case .teams: "messages of Microsoft Teams"
        case .skype: "messages of Skype or Teams Free"
        case .googleChat: "messages of Google Chat"
        case .mailbox: "a mailbox (mbox)"
        case .irc: "a log of IRC"
        case .textMessages: "a backup of text messages"
        case .webPage: "a web page"
        case .jsonList: "a JSON list of an unknown kind"
        case .database: "a SQLite database"
        }
    }

    /// What can be done.
    package var advice: String {
        switch self {
        case .telegramHTML:
            "export the chat again from Telegram Desktop as machine-readable JSON, and give result.json"
        case .discordPackage:
            "it has only its owner's messages; export the channels as JSON with DiscordChatExporter"
        case .discordOther: "export the channel again as JSON"
        case .elementOther: "export the room again as JSON"
        case .slackDump: "make a Slack export with it (slackdump export, or slackdump convert), and give that"
        case .messenger, .line, .kakaoTalk, .teams, .skype, .googleChat, .mailbox, .irc, .textMessages:
            "this format is not read; convert it to JSON lines (docs/import.md)"
        case .webPage: "export the chat as JSON or text"
        case .jsonList: "give the whole export, or convert it to JSON lines (docs/import.md)"
        case .database: "export the chat from the application as JSON or text"
        }
    }
}

extension ForeignFormat {
    /// Recognises a form by the beginning of a file.
    ///
    /// - Parameters:
    ///   - bytes: The beginning, without a mark of its encoding.
    ///   - keys: The keys of the object that it begins with, or of the first object of a list.
    init?(_ bytes: ArraySlice<UInt8>, keys: TopLevelKeys?) {
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
            self = .database
            return
        }
        let text = String(decoding: bytes.prefix(8 << 10), as: UTF8.self)
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        let found: ForeignFormat? =
            switch first {
            case "{": keys.flatMap { Self.object($0.names, text) }
            case "[": Self.list(keys?.names, text) ?? Self.plainText(text)
            case "<": Self.markup(text)
            default: Self.plainText(text)
            }
        guard let found else { return nil }
        self = found
    }

    /// Whether the form is one application's, and not just any file.
    var isOfChats: Bool { ![.webPage, .jsonList, .database].contains(self) }

    private static func object(_ keys: Set<String>, _ text: String) -> ForeignFormat? {
        func has(_ names: String...) -> Bool { names.allSatisfy(keys.contains) }
        func says(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
        if has("messages", "channel_id") { return .slackDump }
        if has("participants", "threadName") || has("participants", "thread_path") { return .messenger }
        if has("participants", "messages"), says("sender_name", "timestamp_ms") { return .messenger }
        if has("conversations", "userId"), keys.contains("exportDate") || says("MessageList") { return .skype }
        if text.contains("graph.microsoft.com") || says("messageType", "channelIdentity") { return .teams }
        if has("messages"), says("creator", "created_date") { return .googleChat }
        if has("user", "membership_info") || (has("members") && says("user_type")) { return .googleChat }
        return nil
    }

    /// A list: of what, its first object tells.
    private static func list(_ keys: Set<String>?, _ text: String) -> ForeignFormat? {
        guard let keys else {
            let second = text.unicodeScalars.filter { !$0.properties.isWhitespace }.dropFirst().first
            return ["\"", "]", "["].contains(second) ? .jsonList : nil
        }
        if keys.isSuperset(of: ["ID", "Timestamp", "Contents"]) { return .discordPackage }
        if keys.contains("messageType"), keys.contains("channelIdentity") || keys.contains("chatId") { return .teams }
        return .jsonList
    }

    private static func markup(_ text: String) -> ForeignFormat? {
        let lower = text.lowercased()
        if lower.contains("chatlog__") || lower.contains("discordchatexporter") { return .discordOther }
        if lower.contains("<smses") || lower.contains("smsbackuprestore") { return .textMessages }
        if lower.contains("mx_roomview") || lower.contains("mx_matrixchat") { return .elementOther }
        guard lower.contains("<html") || lower.contains("<!doctype html") else { return nil }
        let isTelegram =
            lower.contains("exported data") && (lower.contains("page_wrap") || lower.contains("telegram"))
        return isTelegram ? .telegramHTML : .webPage
    }

    private static func plainText(_ text: String) -> ForeignFormat? {
        let lines = text.split(whereSeparator: \.isNewline).prefix(40).map { line in
            line.drop { $0.unicodeScalars.allSatisfy { $0 == "\u{FEFF}" || $0 == "\u{200E}" } }
        }
        guard let first = lines.first else { return nil }
        if first.hasPrefix("[LINE]") { return .line }
        if first.hasPrefix("ID,Timestamp,Contents") { return .discordPackage }
        if isKakaoTalk(first, lines) { return .kakaoTalk }
        if first.hasPrefix("====="), lines.contains(where: { $0.hasPrefix("Guild: ") }) { return .discordOther }
        if first.hasPrefix("From "), lines.dropFirst().contains(where: isMailHeader) { return .mailbox }
        if lines.contains(where: isIRC) { return .irc }
        return nil
    }

    private static func isKakaoTalk(_ first: Substring, _ lines: [Substring]) -> Bool {
        if first.contains("KakaoTalk Chats") || first.contains("카카오톡 대화") || first == "Date,User,Message" {
            return true
        }
        if lines.contains(where: isKakaoTalk) { return true }
        // [Name] [오후 2:30] text, below a line with the day.
        return lines.contains { line in
            guard line.first == "[", let middle = line.range(of: "] [") else { return false }
            let time = line[middle.upperBound...].prefix { $0 != "]" }
            return time.contains(":") && time.count <= 12 && time.contains(where: \.isNumber)
        }
    }

    /// Whether a line is like `2025. 10. 14. 오전 9:30, Name : text`, which WhatsApp writes with a dash.
    static func isKakaoTalk(_ line: Substring) -> Bool {
        guard let colon = line.range(of: " : ") else { return false }
        let head = line[..<colon.lowerBound]
        guard let comma = head.range(of: ", ", options: .backwards) else { return false }
        var time = head[..<comma.lowerBound]
        if time.hasSuffix(" AM") || time.hasSuffix(" PM") { time = time.dropLast(3) }
        // Only the time has a colon, and a date is before it.
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, parts[1].allSatisfy(\.isNumber), !time.contains(" - ") else {
            return false
        }
        return parts[0].last?.isNumber == true && parts[0].filter(\.isNumber).count >= 6
    }

    private static func isMailHeader(_ line: Substring) -> Bool {
        ["Message-ID:", "From:", "Return-Path:", "Received:", "Date:", "Subject:", "X-GM-THRID:", "Delivered-To:"]
            .contains { line.lowercased().hasPrefix($0.lowercased()) }
    }

    /// Logs of irssi, HexChat, mIRC, ZNC and WeeChat: a time, then a nick in angle brackets, or their own first line.
    private static func isIRC(_ line: Substring) -> Bool {
        let heads = ["--- Log opened ", "**** BEGIN LOGGING AT ", "Session Start: ", "--- Day changed "]
        if heads.contains(where: line.hasPrefix) { return true }
        let rest = line.drop { $0.isNumber || "[]:-T/. ".contains($0) }
        let time = line[..<rest.startIndex]
        guard time.contains(":"), time.count <= 26, time.contains(where: \.isNumber) else { return false }
        // WeeChat separates time, nick and text by tabs.
        if rest.first == "\t", time.contains("-") { return rest.dropFirst().contains("\t") }
        guard rest.first == "<", let close = rest.firstIndex(of: ">") else { return rest.hasPrefix("*** Joins: ") }
        let nick = rest[rest.index(after: rest.startIndex)..<close]
        return !nick.isEmpty && nick.count <= 40 && !nick.contains(":") && rest[close...].hasPrefix("> ")
    }
}
