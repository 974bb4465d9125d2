import ChatCore

/// Slack's markup of messages as plain text.
struct SlackMarkup {
    let directory: SlackDirectory
    /// Names that the message's own text gives; they count for people and channels that no list names.
    var labels = SlackLabels()

    /// The name of a person; the id if nothing names it.
    func person(_ id: String) -> String { directory.name(ofPerson: id) ?? labels[id] ?? id }

    /// The name of a channel; the id if nothing names it.
    func channel(_ id: String) -> String { directory.name(ofChannel: id) ?? labels[id] ?? id }

    /// The name of a group of people, which no list of an export names; the id if the text does not either.
    func group(_ id: String) -> String { labels[id] ?? id }

    /// Renders mentions, links and entities; everything else stays as it is.
    func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
        var result = ""
        var rest = Substring(text)
        while let (before, reference, after) = Self.nextReference(in: rest) {
            result += Self.unescaped(before) + self.reference(reference)
            rest = after
        }
        return result + Self.unescaped(rest)
    }

    /// Returns the next text between `<` and `>`, with everything before and after it.
    static func nextReference(in text: Substring) -> (before: Substring, reference: Substring, after: Substring)? {
        guard let open = text.firstIndex(of: "<") else { return nil }
        let inside = text[text.index(after: open)...]
        guard let close = inside.firstIndex(of: ">") else { return nil }
        return (text[..<open], inside[..<close], inside[inside.index(after: close)...])
    }

    /// Renders the text between `<` and `>`.
    private func reference(_ text: Substring) -> String {
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let target = String(parts.first ?? "")
        let label = parts.count > 1 && !parts[1].isEmpty ? Self.unescaped(parts[1]) : nil
        let id = String(target.dropFirst())
        switch target.first {
        case "@": return "@" + (directory.name(ofPerson: id) ?? label ?? labels[id] ?? id)
        case "#": return "#" + (directory.name(ofChannel: id) ?? label ?? labels[id] ?? id)
        case "!": return command(target.dropFirst(), label: label)
        default: return Self.link(Self.unescaped(Substring(target)), label: label)
        }
    }

    /// Renders `<!here>`, `<!subteam^S1|@crew>`, `<!date^1700000000^…|fallback>`.
    private func command(_ text: Substring, label: String?) -> String {
        let parts = text.split(separator: "^", omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "here", "channel", "everyone": return "@\(parts[0])"
        case "subteam" where parts.count > 1: return label ?? "@" + group(parts[1])
        case "date" where parts.count > 1: return label ?? Self.time(parts[1]) ?? "@date"
        default: return label ?? "@" + (parts.first ?? "")
        }
    }

    /// A moment in UTC, such as `2023-11-14 22:13 UTC`.
    static func time(_ seconds: String) -> String? {
        guard let moment = Int64(seconds).flatMap({ HistoryTime.moment(seconds: $0) }) else { return nil }
        return HistoryTime.minute(moment)
    }

    /// Renders a link with its label, unless the label says the same.
    static func link(_ address: String, label: String?) -> String {
        let bare = address.hasPrefix("mailto:") ? String(address.dropFirst(7)) : address
        guard let label, label != bare, label != address, "http://\(label)" != bare, "https://\(label)" != bare else {
            return bare
        }
        return "\(label) (\(bare))"
    }

    static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        return String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}

/// The names of people, channels and groups in a message's texts: `<@U1|pat>`, `<#C1|pier>`, `<!subteam^S1|@crew>`.
struct SlackLabels {
    private var labels: [String: String] = [:]

    init() {}

    /// Takes the names of a message and its attachments.
    init(_ message: JSONFields) {
        collect(message.text("text") ?? "")
        for attachment in message.objects("attachments") {
            for key in ["fallback", "pretext", "text"] { collect(attachment.text(key) ?? "") }
        }
    }

    private mutating func collect(_ text: String) {
        var rest = Substring(text)
        while let (_, reference, after) = SlackMarkup.nextReference(in: rest) {
            collect(reference: reference)
            rest = after
        }
    }

    subscript(id: String) -> String? { labels[id] }

    private mutating func collect(reference: Substring) {
        let parts = reference.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count > 1, let sign = parts[0].first, "@#!".contains(sign) else { return }
        let target = parts[0].dropFirst()
        let id = sign == "!" ? target.split(separator: "^").dropFirst().first.map(String.init) : String(target)
        let label = SlackMarkup.unescaped(parts[1]).drop { $0 == "@" || $0 == "#" }
        if let id, !id.isEmpty, !label.isEmpty { labels[id] = String(label) }
    }
}
