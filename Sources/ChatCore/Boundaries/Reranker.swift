/// Scores how well texts answer a question, both read together.
public protocol Reranker: Sendable {
    /// The model's name as the provider knows it.
    var name: String { get }

    /// Scores texts.
    ///
    /// - Parameters:
    ///   - texts: One or more, none of them empty.
    ///   - question: What they are to answer.
    /// - Returns: One score a text, in the order of the texts; higher is better, of no fixed range: only the order counts.
    /// - Throws: ``ModelServiceError`` when the service failed, or answered with anything but one number for each text.
    func scores(of texts: [String], for question: String) async throws -> [Double]
}
