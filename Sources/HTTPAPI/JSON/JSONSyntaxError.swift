/// Why bytes are not the JSON that is wanted.
enum JSONSyntaxError: Error, Equatable {
    /// Nothing but white space.
    case empty
    /// Not UTF-8; the offset of the first wrong byte is not told by the standard library.
    case invalidUTF8
    /// Arrays and objects within one another beyond the limit.
    case tooDeep(limit: Int)
    /// Something else than JSON at this byte, counted from 0.
    case unexpected(offset: Int)
    /// The text ends within a value.
    case truncated

    /// One line for a client.
    var detail: String {
        switch self {
        case .empty: "the body is empty; a JSON object is wanted"
        case .invalidUTF8: "the body is not valid UTF-8"
        case .tooDeep(let limit): "the body is nested deeper than \(limit) levels"
        case .unexpected(let offset): "the body is not valid JSON at byte \(offset)"
        case .truncated: "the body is not valid JSON: it ends too early"
        }
    }
}
