/// What a language model wrote of parts of conversations.
///
/// A summary goes with each message that it is of: when one of them is edited, deleted or erased it is removed in the
/// same transaction. All calls throw ``RepositoryError``; ``RepositoryError/noSuchConversation(_:)`` stands for a
/// conversation that the asker may not see.
public protocol SummaryRepository: Sendable {
    /// Returns the summaries of a conversation that were written by a recipe.
    ///
    /// Messages may have come into a span since: whoever uses one compares its ``SpanSummary/contentHash``.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - recipe: See ``SpanSummary/recipe``.
    ///   - asker: Who reads.
    ///   - moment: The present time.
    /// - Returns: The summaries by level, those of one level in the order of the conversation; spans of one level do
    ///   not overlap.
    /// - Throws: ``RepositoryError``.
    func summaries(of id: ConversationID, by recipe: String, asker: UserID, at moment: Timestamp) async throws
        -> [SpanSummary]

    /// Keeps a summary, unless what it was written of is not as it was.
    ///
    /// Summaries of the same level that overlap it go, also those of other recipes.
    ///
    /// - Parameters:
    ///   - summary: What was written.
    ///   - parts: The summaries that it was written of; empty for one that was written of messages.
    ///   - asker: For whom.
    ///   - moment: The present time.
    /// - Returns: False when a message of the span has changed, came or went meanwhile, or a part is not kept any more;
    ///   nothing is stored then.
    /// - Throws: ``RepositoryError``; `invalid` for a text without words or longer than
    ///   ``SpanSummary/textByteLimit``.
    func keep(_ summary: SpanSummary, madeOf parts: [SpanSummary], asker: UserID, at moment: Timestamp) async throws
        -> Bool
}
