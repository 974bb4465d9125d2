/// The failure of a command: one line for the operator.
package struct OperatorFailure: Codable, Sendable, Error, Equatable {
    package var message: String

    package init(message: String) {
        self.message = message
    }
}
