import ChatCore

/// Who may read a conversation, according to an entry of a list.
///
/// Everybody may only if the entry says so: it calls itself a channel, has the id of a channel, and nothing else says
/// that it is private. Slack's own exports do not say so; the operator may, for all entries of `channels.json`.
struct SlackAccess {
    let kind: Conversation.Kind
    let visibility: Conversation.Visibility
    /// Whether the entry tells neither that everybody may read it, nor that only members may.
    let isUnclear: Bool

    private static let flags = ["is_private", "is_group", "is_im", "is_mpim"]

    /// - Parameters:
    ///   - fields: The entry.
    ///   - id: Its id.
    ///   - list: The list that it is in.
    ///   - areChannelsOpen: Whether the operator says that `channels.json` has open channels only.
    init(_ fields: JSONFields, id: String, list: SlackDirectory.List, areChannelsOpen: Bool) {
        let isDirect =
            list == .directs || list == .groupDirects || id.hasPrefix("D") || fields.id("user") != nil
            || fields.isNotDenied("is_im") || fields.isNotDenied("is_mpim")
            || fields.text("name")?.hasPrefix("mpdm-") == true
        let isClosed =
            isDirect || list == .groups || id.hasPrefix("G") || Self.flags.contains { fields.isNotDenied($0) }
        let isOddFlag = (Self.flags + ["is_channel"]).contains { key in
            switch fields[key] {
            case nil, .null, .bool: false
            default: true
            }
        }
        let isOpen = id.hasPrefix("C") && (fields.isTrue("is_channel") || (areChannelsOpen && !isOddFlag))
        kind = isDirect ? .direct : .group
        visibility = isOpen && !isClosed ? .everyone : .members
        isUnclear = isOddFlag || (!isClosed && !isOpen)
    }
}
