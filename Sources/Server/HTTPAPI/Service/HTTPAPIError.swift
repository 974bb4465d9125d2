/// A reason why the server cannot start.
package enum HTTPAPIError: Error, Equatable, Sendable {
    /// Tokens cannot be checked with the configured keys; the text says why.
    case unusableKeys(String)
}

extension HTTPAPIError: CustomStringConvertible {
    /// One line for an operator.
    package var description: String {
        switch self {
        case .unusableKeys(let reason): "the keys for tokens cannot be used: \(reason)"
        }
    }
}
