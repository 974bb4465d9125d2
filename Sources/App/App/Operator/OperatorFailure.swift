/// The failure of a command: one line for the operator.
struct OperatorFailure: Codable, Sendable, Error, Equatable {
    var message: String
}
