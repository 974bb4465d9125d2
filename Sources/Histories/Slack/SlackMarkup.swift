/// Slack's markup of messages as plain text.
struct SlackMarkup {
    let directory: SlackDirectory

    /// Renders mentions, links and entities; everything else stays as it is.
    func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
        var result = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "<") {
            result += Self.unescaped(rest[..<open])
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: ">") else {
                rest = rest[open...]
                break
            }
            result += reference(inside[..<close])
            rest = inside[inside.index(after: close)...]
        }
        return result + Self.unescaped(rest)
    }

    /// Renders the text between `<` and `>`.
    private func reference(_ text: Substring) -> String {
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let target = String(parts.first ?? "")
        let label = parts.count > 1 && !parts[1].isEmpty ? Self.unescaped(parts[1]) : nil
        switch target.first {
        case "@":
            let id = String(target.dropFirst())
            return "@" + (directory.name(ofPerson: id) ?? label ?? id)
        case "#":
            let id = String(target.dropFirst())
            return "#" + (directory.name(ofChannel: id) ?? label ?? id)
        case "!": return command(target.dropFirst(), label: label)
        default: return Self.link(Self.unescaped(Substring(target)), label: label)
        }
    }

    /// Renders `<!here>`, `<!subteam^S1|@crew>`, `<!date^…|fallback>`.
    private func command(_ text: Substring, label: String?) -> String {
        let name = String(text.prefix { $0 != "^" })
        switch name {
        case "here", "channel", "everyone": return "@\(name)"
        default: return label ?? "@\(name)"
        }
    }

    /// Renders a link with its label, unless the label says the same.
    static func link(_ address: String, label: String?) -> String {
        let bare = address.hasPrefix("mailto:") ? String(address.dropFirst(7)) : address
        guard let label, label != bare, label != address, "http://\(label)" != bare, "https://\(label)" != bare else {
            return bare
        }
        return "\(label) (\(bare))"
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        return String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}
