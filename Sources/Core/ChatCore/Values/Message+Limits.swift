extension Message {
    /// The most attachments of a message.
    public static let attachmentLimit = 100
    /// The most different emojis of a message.
    public static let reactionLimit = 50
    /// The most people of one reaction.
    public static let reactorLimit = 1_000
    /// The most bytes of ``extra``.
    public static let extraByteLimit = 64 * 1024
    /// The most bytes of reactions, ``extra``, and names and types of attachments together.
    public static let detailByteLimit = 256 * 1024

    /// A limit that a message breaks.
    public struct LimitFault: Hashable, Sendable {
        /// The field with the error.
        public let field: String
        /// The error.
        public let reason: String
    }

    /// The first limit that the message exceeds; nil when it exceeds none.
    ///
    /// ``textByteLimit`` limits text and captions together, because they are embedded together.
    public var limitFault: LimitFault? {
        if let fault = TextLimit.name.fault(of: senderName) { return LimitFault(field: "senderName", reason: fault) }
        if let extra, extra.utf8.count > Self.extraByteLimit {
            return LimitFault(field: "extra", reason: "must have at most \(Self.extraByteLimit) bytes")
        }
        if attachments.isEmpty, reactions.isEmpty { return nil }
        return attachmentFault ?? reactionFault ?? detailFault
    }

    private var attachmentFault: LimitFault? {
        if attachments.count > Self.attachmentLimit {
            return LimitFault(field: "attachments", reason: "must have at most \(Self.attachmentLimit) items")
        }
        for text in attachments.flatMap({ [$0.name, $0.type ?? ""] }) {
            guard let fault = TextLimit.name.fault(of: text) else { continue }
            return LimitFault(field: "attachments", reason: "names and types " + fault)
        }
        let captions = attachments.reduce(0) { $0 + ($1.caption?.utf8.count ?? 0) }
        guard text.utf8.count + captions > Self.textByteLimit else { return nil }
        return LimitFault(
            field: "attachments", reason: "captions and text must have at most \(Self.textByteLimit) bytes together")
    }

    private var reactionFault: LimitFault? {
        if reactions.count > Self.reactionLimit {
            return LimitFault(field: "reactions", reason: "must have at most \(Self.reactionLimit) items")
        }
        for reaction in reactions {
            if let fault = TextLimit.name.fault(of: reaction.emoji) {
                return LimitFault(field: "reactions", reason: "emoji " + fault)
            }
            if reaction.userIDs.count > Self.reactorLimit {
                return LimitFault(field: "reactions", reason: "userIds must have at most \(Self.reactorLimit) items")
            }
            for user in reaction.userIDs where UserID(validating: user.rawValue) == nil {
                return LimitFault(field: "reactions", reason: "userIds must be usable ids")
            }
        }
        return nil
    }

    private var detailFault: LimitFault? {
        guard fixedDetailByteCount + reactions.reduce(0, { $0 + $1.byteCount }) > Self.detailByteLimit else {
            return nil
        }
        return LimitFault(
            field: "reactions",
            reason: "with extra and names of attachments, must have at most \(Self.detailByteLimit) bytes")
    }

    /// The bytes of all details except reactions.
    private var fixedDetailByteCount: Int {
        attachments.reduce(extra?.utf8.count ?? 0) { $0 + $1.name.utf8.count + ($1.type?.utf8.count ?? 0) }
    }

    /// Returns the message with its names, captions and details cut to the limits; for histories, which must not be
    /// refused.
    ///
    /// The text stays as it is. The same message is always cut in the same way.
    public func cutToLimits() -> Message {
        guard limitFault != nil else { return self }
        var message = self
        message.senderName = TextLimit.name.cut(senderName)
        if let extra, extra.utf8.count > Self.extraByteLimit { message.extra = nil }
        var textRoom = max(0, Self.textByteLimit - text.utf8.count)
        message.attachments = attachments.prefix(Self.attachmentLimit).map { attachment in
            let caption = attachment.caption.map { String($0.prefix(utf8Count: textRoom)) }
            textRoom -= caption?.utf8.count ?? 0
            return Attachment(
                name: TextLimit.name.cut(attachment.name), type: attachment.type.map(TextLimit.name.cut),
                caption: caption)
        }
        if message.fixedDetailByteCount > Self.detailByteLimit { message.extra = nil }
        var room = Self.detailByteLimit - message.fixedDetailByteCount
        message.reactions = reactions.prefix(Self.reactionLimit).compactMap { reaction in
            var cut = Reaction(emoji: TextLimit.name.cut(reaction.emoji), userIDs: [])
            guard cut.byteCount <= room else { return nil }
            room -= cut.byteCount
            for user in reaction.userIDs.prefix(Self.reactorLimit)
            where UserID(validating: user.rawValue) != nil && user.rawValue.utf8.count <= room {
                cut.userIDs.append(user)
                room -= user.rawValue.utf8.count
            }
            return cut
        }
        return message
    }
}

extension Message.Reaction {
    /// The bytes of its emoji and ids.
    fileprivate var byteCount: Int { userIDs.reduce(emoji.utf8.count) { $0 + $1.rawValue.utf8.count } }
}

extension Member {
    /// The most aliases.
    public static let aliasLimit = 50

    /// Returns the member with names cut to the limits.
    public func cutToLimits() -> Member {
        var member = self
        member.displayName = TextLimit.name.cut(displayName)
        member.aliases = aliases.prefix(Self.aliasLimit).map(TextLimit.name.cut)
        return member
    }
}

extension ConversationRoster {
    /// Returns the roster with names cut to the limits; for histories, which must not be refused.
    public func cutToLimits() -> ConversationRoster {
        var roster = self
        roster.conversation.name = conversation.name.map(TextLimit.name.cut)
        roster.members = members.map { $0.cutToLimits() }
        return roster
    }
}

extension Identity {
    /// Returns the identity with its names cut to the limits.
    public func cutToLimits() -> Identity {
        var identity = self
        identity.name = name.map(TextLimit.name.cut)
        identity.email = email.map(TextLimit.name.cut)
        return identity
    }
}
