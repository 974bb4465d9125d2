package import ChatCore

/// A question of a schedule as it is asked at a moment.
package struct ScheduledQuestion: Sendable {
    /// The number of sources that an answer lists.
    private static let sourceCount = 5

    /// The request; its turn is not kept, because it is stored with the message that it delivers.
    package let request: AskRequest

    /// - Parameters:
    ///   - question: The question.
    ///   - conversation: The conversation to ask in; nil for all.
    ///   - times: The times of the schedule; their zone is that of the question.
    ///   - asker: The person.
    package init(_ question: String, in conversation: ConversationID?, times: ScheduleTimes, asker: UserID) {
        var request = AskRequest(
            question: question,
            scope: SearchScope(asker: asker, conversations: conversation.map { .only([$0]) } ?? .all),
            limit: Self.sourceCount, timeZone: times.timeZone)
        request.isKept = false
        self.request = request
    }
}
