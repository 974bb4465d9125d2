/// A finding of `nexus doctor`.
struct Finding: Codable, Sendable, Equatable {
    /// The severity.
    enum Verdict: String, Codable, Sendable {
        case good
        case warning
        case bad
    }

    var subject: String
    var verdict: Verdict
    var detail: String
}
