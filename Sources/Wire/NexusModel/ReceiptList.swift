/// How far each member has read and received a conversation: the reply of `GET …/receipts`.
public struct ReceiptList: Hashable, Sendable, Codable {
    /// The receipts.
    public var receipts: [ChatReceipt]

    public init(receipts: [ChatReceipt]) {
        self.receipts = receipts
    }
}

/// Who has received and read a message: the reply of `GET …/messages/{message}/receipts`.
public struct MessageReceiptCounts: Hashable, Sendable, Codable {
    /// The members who had joined before the message and have not left, without its sender.
    public var memberCount: Int
    /// Those of them who show that they read it.
    public var readCount: Int
    /// Those of them whom it reached.
    public var deliveredCount: Int
    /// Who read it, by user.
    public var readBy: [ChatPerson]
    /// Whom it reached, by user.
    public var deliveredTo: [ChatPerson]

    public init(memberCount: Int, readBy: [ChatPerson], deliveredTo: [ChatPerson]) {
        self.memberCount = memberCount
        readCount = readBy.count
        deliveredCount = deliveredTo.count
        self.readBy = readBy
        self.deliveredTo = deliveredTo
    }
}
