/// Why bytes are not the JSON that is wanted.
public enum JSONSyntaxError: Error, Equatable, Sendable {
    /// Nothing but white space.
    case empty
    /// Not UTF-8; the standard library does not say which byte is wrong.
    case invalidUTF8
    /// Arrays and objects within one another beyond the limit.
    case tooDeep(limit: Int)
    /// Not JSON at this byte, counted from 0.
    case unexpected(offset: Int)
    /// The text ends within a value.
    case truncated

    /// One line for a client.
    public var detail: String {
        switch self {
        case .empty: "the body is empty; a JSON object is wanted"
        case .invalidUTF8: "the body is not valid UTF-8"
        case .tooDeep(let limit): "the body is nested deeper than \(limit) levels"
        case .unexpected(let offset): "the body is not valid JSON at byte \(offset)"
        case .truncated: "the body is not valid JSON: it ends too early"
        }
    }
}
