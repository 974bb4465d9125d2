/// The counts of a dataset made from feedback.
struct FeedbackReport: Codable, Sendable, Equatable {
    /// Questions with evidence.
    var questionCount: Int
    /// Questions for which a person must add the evidence.
    var unlabelledCount: Int
    var conversationCount: Int
    var messageCount: Int
    /// Rated turns whose asker may not see the sources any more.
    var leftOutCount: Int
}
