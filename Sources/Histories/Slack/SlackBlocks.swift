import ChatCore

/// The text of a message's `blocks`, which may say more than its `text`.
struct SlackBlocks {
    let markup: SlackMarkup

    /// Renders all blocks, one below the other.
    func text(_ blocks: [JSONFields]) -> String {
        blocks.compactMap(block).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func block(_ block: JSONFields) -> String? {
        switch block.text("type") {
        case "rich_text": block.objects("elements").map(part).joined(separator: "\n")
        case "section", "header":
            ([block.object("text")].compactMap { $0 } + block.objects("fields")).compactMap(composed)
                .joined(separator: "\n")
        case "context": block.objects("elements").compactMap(composed).joined(separator: " ")
        case "image": block.text("alt_text")
        default: nil
        }
    }

    /// A text object: `mrkdwn` is Slack's markup, `plain_text` is not.
    private func composed(_ object: JSONFields) -> String? {
        guard let text = object.text("text") else { return object.text("alt_text") }
        return object.text("type") == "mrkdwn" ? markup.plain(text) : text
    }

    /// A section, list, quote or block of code.
    private func part(_ part: JSONFields) -> String {
        let elements = part.objects("elements")
        guard part.text("type") == "rich_text_list" else { return elements.map(inline).joined() }
        let isOrdered = part.text("style") == "ordered"
        return elements.enumerated().map { number, element in
            let text = element.objects("elements").map(inline).joined()
            return isOrdered ? "\(number + 1). \(text)" : "• \(text)"
        }.joined(separator: "\n")
    }

    private func inline(_ element: JSONFields) -> String {
        switch element.text("type") {
        case "text": return element.text("text") ?? ""
        case "link": return SlackMarkup.link(element.text("url") ?? "", label: element.text("text"))
        case "user": return "@" + named(element.text("user_id"), markup.directory.name(ofPerson:))
        case "channel": return "#" + named(element.text("channel_id"), markup.directory.name(ofChannel:))
        case "usergroup": return "@" + (element.text("usergroup_id") ?? "")
        case "broadcast": return "@" + (element.text("range") ?? "")
        case "emoji": return ":" + (element.text("name") ?? "") + ":"
        case "date": return element.text("fallback") ?? ""
        default: return element.text("text") ?? ""
        }
    }

    private func named(_ id: String?, _ name: (String) -> String?) -> String {
        guard let id else { return "" }
        return name(id) ?? id
    }
}
