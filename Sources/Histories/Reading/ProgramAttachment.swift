/// An attachment in which programs say much, in Slack's form, which Mattermost has too.
enum ProgramAttachment {
    /// Its texts, one a line: before it, its title, its text and its fields; what stands for all where there is nothing.
    static func lines(_ attachment: JSONFields) -> [String] {
        let texts = ["pretext", "title", "text"].compactMap { attachment.text($0) }
        let fields = attachment.objects("fields").compactMap { field -> String? in
            let value = field.id("value")
            guard let title = field.text("title") else { return value }
            return value.map { "\(title): \($0)" } ?? title
        }
        let parts = texts + fields
        return parts.isEmpty ? [attachment.text("fallback")].compactMap { $0 } : parts
    }
}
