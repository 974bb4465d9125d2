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
        case UInt8(ascii: "{"): return object(TopLevelKeys.read(body))
        case UInt8(ascii: "["): return isChatLine(body) ? .format(.whatsApp) : .partOfSlack
        default: return isChatLine(body) ? .format(.whatsApp) : .unknown
        }
    }

    private static func object(_ keys: TopLevelKeys) -> Finding {
        if keys.type == "version" { return .format(.mattermost) }
        if keys.names.contains("room_name") || keys.names.contains("room_creator") { return .format(.element) }
        if keys.names.contains("guild") || keys.names.isSuperset(of: ["channel", "messages"]) {
            return .format(.discord)
        }
        if keys.names.contains("chats") || keys.names.contains("personal_information") { return .format(.telegram) }
        if keys.names.isSuperset(of: ["messages", "type"]) { return .format(.telegram) }
        let isAbout = keys.names.contains("conversationId") && !keys.names.contains("senderId")
        if keys.isWhole, keys.names.contains("id"), isAbout { return .evaluation }
        return keys.names.contains("id") ? .format(.jsonLines) : .unknown
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
