/// The tokens that the questions of users took of a language model, by day.
///
/// All calls throw ``RepositoryError``.
public protocol TokenUsageRepository: Sendable {
    /// Returns what a user's questions took on a day; 0 where nothing is known.
    ///
    /// - Parameters:
    ///   - user: Who asked.
    ///   - day: See ``Timestamp/day``.
    /// - Returns: The tokens of prompts and answers.
    /// - Throws: Storage errors.
    func usedTokens(of user: UserID, on day: Int) async throws -> Int

    /// Adds to what users' questions took on a day; days that lie more than 30 before it are forgotten.
    func addUsedTokens(_ counts: [UserID: Int], on day: Int) async throws
}
