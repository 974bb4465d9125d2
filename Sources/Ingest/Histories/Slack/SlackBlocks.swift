import ChatCore

/// The text of a message's `blocks`, which may say more than its `text`.
///
/// - Source: the block models of `slack-sdk` 3.47.
struct SlackBlocks {
    let markup: SlackMarkup
    let unknown: UnknownContent

    /// Blocks without words, or with nothing but buttons.
    private static let silent: Set<String> = ["divider", "actions", "context_actions", "file", "auth_provider"]
    /// The fields with words of blocks, in the order in which Slack shows them.
    private static let fields: [String: [String]] = [
        "section": ["text", "fields"], "header": ["text"], "alert": ["text"], "markdown": ["text"],
        "image": ["title", "alt_text"], "video": ["title", "description"], "input": ["label"],
        "card": ["title", "subtitle", "body"], "carousel": ["elements"],
        "container": ["title", "rich_text_title", "subtitle", "child_blocks"], "plan": ["title", "tasks"],
        "task_card": ["title", "details", "output", "sources"],
    ]
    /// The fields that may have words in a block that is not known.
    private static let likelyFields = [
        "title", "subtitle", "text", "body", "description", "details", "fields", "elements", "child_blocks", "blocks",
        "alt_text", "fallback",
    ]

    /// Renders all blocks, one below the other.
    func text(_ blocks: [JSONFields]) -> String { Self.joined(blocks.map(block)) }

    private func block(_ block: JSONFields) -> String {
        let type = block.text("type") ?? ""
        if Self.silent.contains(type) { return "" }
        if let keys = Self.fields[type] { return words(of: block, keys) }
        switch type {
        case "rich_text": return Self.joined(block.objects("elements").map(part))
        case "context": return block.objects("elements").map(object).filter { !$0.isEmpty }.joined(separator: " ")
        case "table": return Self.joined(block.list("rows").map(row))
        case "call": return block.object("call")?.object("v1")?.text("name") ?? ""
        default:
            unknown.add("slack block", type)
            return words(of: block, Self.likelyFields)
        }
    }

    private func words(of block: JSONFields, _ keys: [String]) -> String {
        Self.joined(keys.map { block[$0].map(value) ?? "" })
    }

    /// The words of a field: a text, a text object, a block, or a list of them.
    private func value(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .array(let values): return Self.joined(values.map(self.value))
        default: return (try? JSONFields(value)).map(object) ?? ""
        }
    }

    private func object(_ object: JSONFields) -> String {
        switch object.text("type") {
        case "mrkdwn": markup.plain(object.text("text") ?? "")
        case "plain_text", "raw_text", "markdown": object.text("text") ?? ""
        case "raw_number": object.id("text") ?? object.id("value") ?? ""
        case "url": SlackMarkup.link(object.text("url") ?? "", label: object.text("text"))
        // An element of a context.
        case "image": object.text("alt_text") ?? ""
        case nil: object.text("text") ?? object.text("alt_text") ?? ""
        default: block(object)
        }
    }

    private func row(_ row: JSONValue) -> String {
        guard case .array(let cells) = row else { return "" }
        return cells.map { value($0).replacing("\n", with: " ") }.joined(separator: " | ")
    }

    private static func joined(_ lines: [String]) -> String { lines.filter { !$0.isEmpty }.joined(separator: "\n") }
}

// MARK: - Rich text

extension SlackBlocks {
    /// A section, list, quote or block of code, in the marks that people type.
    private func part(_ part: JSONFields) -> String {
        let type = part.text("type") ?? ""
        if type == "rich_text_list" { return list(part) }
        var text = part.objects("elements").map(inline).joined()
        if text.hasSuffix("\n") { text.removeLast() }
        switch type {
        case "rich_text_section": return text
        case "rich_text_preformatted": return "```\n\(text)\n```"
        case "rich_text_quote":
            return text.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
                .joined(separator: "\n")
        default:
            unknown.add("slack rich_text", type)
            return text
        }
    }

    /// Slack writes the levels of a list as lists that follow each other, each with its indent and first number.
    private func list(_ list: JSONFields) -> String {
        let isOrdered = list.text("style") == "ordered"
        let indent = String(repeating: "  ", count: Int(min(max(0, list.integer("indent") ?? 0), 16)))
        let offset = Int(min(max(0, list.integer("offset") ?? 0), 1_000_000))
        return list.objects("elements").enumerated().map { number, element in
            // bounded: elements of a message
            indent + (isOrdered ? "\(number + 1 + offset). " : "• ") + part(element)
        }.joined(separator: "\n")
    }

    private func inline(_ element: JSONFields) -> String {
        let text = words(of: element)
        return element.object("style")?.isTrue("code") == true && !text.isEmpty ? "`\(text)`" : text
    }

    private func words(of element: JSONFields) -> String {
        switch element.text("type") {
        case "text": return element.text("text") ?? ""
        case "link": return SlackMarkup.link(element.text("url") ?? "", label: element.text("text"))
        case "user": return "@" + (element.id("user_id").map(markup.person) ?? "")
        case "channel": return "#" + (element.id("channel_id").map(markup.channel) ?? "")
        case "usergroup": return "@" + (element.id("usergroup_id").map(markup.group) ?? "")
        case "team": return "@" + (element.id("team_id").map(markup.group) ?? "")
        case "broadcast": return "@" + (element.text("range") ?? "")
        case "emoji": return ":" + (element.text("name") ?? "") + ":"
        case "color": return element.text("value") ?? ""
        case "date": return element.text("fallback") ?? element.id("timestamp").flatMap(SlackMarkup.time) ?? ""
        default:
            unknown.add("slack rich_text", element.text("type"))
            return element.text("text") ?? element.text("fallback") ?? ""
        }
    }
}
