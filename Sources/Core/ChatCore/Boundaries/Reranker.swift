/// Scores how well texts answer a question by reading both together.
public protocol Reranker: Sendable {
    /// The model's name as the provider knows it.
    var name: String { get }

    /// Scores texts.
    ///
    /// - Parameters:
    ///   - texts: One or more, none empty.
    ///   - question: The question.
    /// - Returns: One score per text, in the order of the texts; higher is better, the range is not fixed: only the
    ///   order counts.
    /// - Throws: ``ModelServiceError`` when the service failed, or did not return one number per text.
    func scores(of texts: [String], for question: String) async throws -> [Double]
}
