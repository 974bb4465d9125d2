import Foundation

/// Tells the format of a file by its beginning.
enum FormatDetection {
    /// How much of a file is looked at.
    private static let byteLimit = 64 << 10

    /// The format of a source's beginning.
    enum Finding: Equatable {
        case format(HistoryFormat)
        /// One file of many that belong together.
        case partOfSlack
        /// Lines of an evaluation dataset that are neither conversations nor messages.
        case evaluation
        /// A known form that is not read.
        case foreign(ForeignFormat)
        case utf16
        case unknown
    }

    /// Looks at the beginning of a file.
    static func finding(_ file: HistoryFile) throws -> Finding { try finding(file.open()) }

    /// Examines the beginning of a source.
    static func finding(_ source: any ByteSource) throws -> Finding {
        var source = source
        var bytes: [UInt8] = []
        while bytes.count < byteLimit, let chunk = try source.read() { bytes += chunk }
        return finding(bytes.prefix(byteLimit))
    }

    /// Looks at a beginning.
    static func finding(_ bytes: ArraySlice<UInt8>) -> Finding {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
        if isWideText(bytes) { return .utf16 }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch first {
        case UInt8(ascii: "{"):
            let keys = TopLevelKeys.read(body)
            let found = object(keys, body)
            return found == .unknown ? foreign(body, keys) : found
        case UInt8(ascii: "["):
            let keys = TopLevelKeys.ofFirstElement(body)
            if let keys, keys.isSlack { return .partOfSlack }
            return foreignText(body) ?? (isChatLine(body) ? .format(.whatsApp) : foreign(body, keys))
        default: return foreignText(body) ?? (isChatLine(body) ? .format(.whatsApp) : foreign(body, nil))
        }
    }

    private static func foreign(_ bytes: ArraySlice<UInt8>, _ keys: TopLevelKeys?) -> Finding {
        ForeignFormat(bytes, keys: keys).map { .foreign($0) } ?? .unknown
    }

    /// A chat of another application whose first line says so, although its other lines look like those of WhatsApp.
    private static func foreignText(_ bytes: ArraySlice<UInt8>) -> Finding? {
        let lines = String(decoding: bytes.prefix(400), as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let first = lines.first else { return nil }
        let heads = ["[LINE]", "KakaoTalk Chats", "카카오톡 대화"]
        let isKnown =
            heads.contains(where: first.contains) || lines.dropFirst().first?.hasPrefix("Guild: ") == true
            || lines.contains(where: ForeignFormat.isKakaoTalk)
        return isKnown ? foreign(bytes, nil) : nil
    }

    private static func object(_ keys: TopLevelKeys, _ bytes: ArraySlice<UInt8>) -> Finding {
        if keys.type == "version" { return .format(.mattermost) }
        if keys.names.isSuperset(of: ["auth_events", "prev_events", "origin_server_ts"]) { return .format(.synapse) }
        if keys.names.contains("room_name") || keys.names.contains("room_creator") { return .format(.element) }
        if keys.isDiscordPackage { return .foreign(.discordPackage) }
        if keys.names.contains("guild") || keys.names.isSuperset(of: ["channel", "messages"]) {
            return .format(.discord)
        }
        if keys.names.contains("chats") || keys.names.contains("personal_information") { return .format(.telegram) }
        if keys.names.isSuperset(of: ["messages", "type"]) { return .format(.telegram) }
        let isAbout = keys.names.contains("conversationId") && !keys.names.contains("senderId")
        if keys.isWhole, keys.names.contains("id"), isAbout { return .evaluation }
        return keys.isOurs || keys.mayBeOurs && hasOurLine(bytes) ? .format(.jsonLines) : .unknown
    }

    /// Whether a later line of a beginning is a conversation or a message of our JSON lines.
    private static func hasOurLine(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: 0x0A, maxSplits: 100).dropFirst().contains { line in
            line.first == UInt8(ascii: "{") && TopLevelKeys.read(line).isOurs
        }
    }

    /// Whether one of the first lines begins as messages of WhatsApp do.
    private static func isChatLine(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: 0x0A, maxSplits: 20).prefix(20).contains { line in
            WhatsAppHead(String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)) != nil
        }
    }

    /// Whether every other byte is zero, as in UTF-16 without a mark.
    private static func isWideText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let sample = Array(bytes.prefix(64))
        guard sample.count >= 4 else { return false }
        let even = stride(from: 0, to: sample.count, by: 2).count { sample[$0] == 0 }
        let odd = stride(from: 1, to: sample.count, by: 2).count { sample[$0] == 0 }
        return max(even, odd) * 4 >= sample.count
    }
}

/// The keys of the object at the beginning of a text, as far as the text goes.
struct TopLevelKeys {
    private(set) var names: Set<String> = []
    /// Whether the object's end was seen.
    private(set) var isWhole = false
    /// The value of `type`, when it is a short text.
    private(set) var type: String?

    /// The fields of a conversation in our JSON lines.
    private static let ownFields: Set<String> = [
        "id", "kind", "visibility", "name", "timeZone", "createdAt", "participants", "members",
    ]

    /// Whether it is a conversation or a message of our JSON lines; other programs' objects have an id, too.
    ///
    /// A conversation says who is in it, or who sees it; a message names its sender.
    var isOurs: Bool {
        guard names.contains("id") else { return false }
        if names.contains("conversationId") { return names.contains("senderId") || !isWhole }
        if !names.isDisjoint(with: ["participants", "visibility", "kind"]) { return true }
        return mayBeOurs && names.contains("members")
    }

    /// Whether it can be a conversation of our JSON lines that says little.
    var mayBeOurs: Bool { names.contains("id") && names.isSubset(of: Self.ownFields) }

    /// Whether it is a message of a day of a Slack export, or an entry of one of its lists.
    var isSlack: Bool {
        if names.contains("ts"), names.contains("text") || names.contains("user") || names.contains("type") {
            return true
        }
        let ofLists: Set = ["members", "team_id", "profile", "created", "creator", "is_channel", "is_im", "is_mpim"]
        return names.contains("id") && !names.isDisjoint(with: ofLists)
    }

    /// Whether it describes a channel, or the account, in Discord's own data package.
    var isDiscordPackage: Bool {
        let isChannel = names.isSuperset(of: ["id", "type"]) && !names.contains("messages")
        return (isChannel && (names.contains("recipients") || names.contains("guild")))
            || names.isSuperset(of: ["id", "username", "discriminator"])
    }

    /// The keys of the first object of a list; nil if the text does not begin with a list of objects.
    static func ofFirstElement(_ bytes: ArraySlice<UInt8>) -> TopLevelKeys? {
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let list = bytes.drop(while: isBlank)
        guard list.first == UInt8(ascii: "[") else { return nil }
        let element = list.dropFirst().drop(while: isBlank)
        return element.first == UInt8(ascii: "{") ? read(element) : nil
    }

    /// Walks over the beginning of a JSON object without checking it.
    static func read(_ bytes: ArraySlice<UInt8>) -> TopLevelKeys {
        var keys = TopLevelKeys()
        var depth = 0
        var key: String?
        var expectsKey = false
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                expectsKey = depth == 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 {
                    keys.isWhole = true
                    return keys
                }
            case UInt8(ascii: ","): expectsKey = depth == 1
            case UInt8(ascii: "\""):
                guard let text = string(bytes, &position) else { return keys }
                guard depth == 1 else { continue }
                if expectsKey {
                    key = text
                    keys.names.insert(text)
                    expectsKey = false
                } else if key == "type" {
                    keys.type = text
                }
            default: break
            }
        }
        return keys
    }

    /// Reads to the closing quotation mark; nil if there is none.
    private static func string(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> String? {
        let start = position
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
        }
        return nil
    }
}
