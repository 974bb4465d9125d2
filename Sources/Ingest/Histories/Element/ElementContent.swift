package import ChatCore

/// What a message of a Matrix room says: its first content, or that of an edit.
package struct ElementContent: Hashable {
    package var text = ""
    package var attachments: [Message.Attachment] = []
    /// The application's own kind of message: a notice of a program.
    package var isNotice = false

    /// The kinds of messages whose `body` is their text.
    private static let textTypes: Set<String> = [
        "m.text", "m.notice", "m.emote", "m.location", "m.server_notice", "org.matrix.location",
    ]
    private static let fileTypes: Set<String> = ["m.image", "m.video", "m.audio", "m.file"]

    var isEmpty: Bool { text.isEmpty && attachments.isEmpty }

    /// The bytes of its texts.
    var byteCount: Int {
        attachments.reduce(text.utf8.count) { $0 + $1.name.utf8.count + ($1.caption?.utf8.count ?? 0) }
    }

    /// Reads the content of an event as a homeserver sends it; nil if it says nothing.
    package init?(_ content: JSONFields, eventType: String, isAnswer: Bool) {
        self.init(content, eventType: eventType, isAnswer: isAnswer, unknown: nil)
    }

    /// Reads the content of an event; nil if it says nothing.
    ///
    /// - Parameters:
    ///   - content: The content, or `m.new_content`.
    ///   - eventType: The type of the event.
    ///   - isAnswer: Whether it may begin with a quote of the message that it answers.
    ///   - unknown: Gets the kinds that are not understood.
    init?(_ content: JSONFields, eventType: String, isAnswer: Bool, unknown: UnknownContent?) {
        guard !Self.isUndecrypted(content) else { return nil }
        if let poll = Self.poll(content) {
            text = poll
            return
        }
        let body = content.text("body") ?? Self.plain(content) ?? ""
        let type = content.text("msgtype") ?? (eventType == "m.sticker" ? "m.image" : "m.text")
        if Self.fileTypes.contains(type) {
            guard let file = Self.file(content, body: body, type: type) else { return nil }
            attachments = [file]
        } else {
            text = isAnswer ? Self.withoutQuote(body) : body
        }
        isNotice = type == "m.notice"
        let isKnown = Self.textTypes.contains(type) || Self.fileTypes.contains(type)
        if !isKnown || eventType.hasSuffix("poll.start") {
            unknown?.add("matrix message", isKnown ? eventType : type)
        }
        if isEmpty { return nil }
    }

    /// If there is a file name too, the body is a caption.
    private static func file(_ content: JSONFields, body: String, type: String) -> Message.Attachment? {
        let name = content.text("filename") ?? (body.isEmpty ? String(type.dropFirst(2)) : body)
        let caption = content.text("filename") == nil || body == name || body.isEmpty ? nil : body
        guard !body.isEmpty || content.text("filename") != nil || content["url"] != nil || content["file"] != nil else {
            return nil
        }
        return Message.Attachment(name: name, type: content.object("info")?.text("mimetype"), caption: caption)
    }

    /// The question and the answers of a poll, in the stable form or the one before it.
    private static func poll(_ content: JSONFields) -> String? {
        let start = ["m.poll", "m.poll.start", "org.matrix.msc3381.poll.start"].lazy.compactMap { content.object($0) }
            .first
        guard let start, let question = start.object("question").flatMap(plain) else { return nil }
        return ([question] + start.objects("answers").compactMap(plain).map { "• \($0)" }).joined(separator: "\n")
    }

    private static func plain(_ text: JSONFields) -> String? {
        text.objects("m.text").first?.text("body") ?? text.text("m.text") ?? text.text("body")
            ?? text.text("org.matrix.msc1767.text")
    }

    /// Whether Element could not read the message itself: then the text is Element's own note.
    private static func isUndecrypted(_ content: JSONFields) -> Bool {
        content.text("msgtype") == "m.bad.encrypted" || content.text("body")?.hasPrefix("** Unable to decrypt") == true
    }

    /// A body without the lines that quote the message that is answered: `> <@ada:example.org> …`, then a blank line.
    private static func withoutQuote(_ body: String) -> String {
        guard body.hasPrefix("> <@") || body.hasPrefix("> * <@") else { return body }
        var lines = body.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while lines.first?.hasPrefix(">") == true { lines.removeFirst() }
        if lines.first?.isEmpty == true { lines.removeFirst() }
        return lines.joined(separator: "\n")
    }
}
