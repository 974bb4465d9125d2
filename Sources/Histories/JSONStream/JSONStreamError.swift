/// Why a stream is not JSON that can be read on; offsets are bytes from the stream's beginning.
package enum JSONStreamError: Error, Equatable {
    /// Something else than JSON at this byte.
    case unexpected(offset: Int)
    /// The stream ends within a value, or before one.
    case truncated(offset: Int)
    /// Arrays and objects within one another beyond the limit.
    case tooDeep(offset: Int, limit: Int)
    /// A text or number that was to be returned whole begins here and is longer than may be.
    case tooLong(offset: Int, limit: Int)
    /// These bytes are not UTF-8.
    case invalidUTF8(offset: Int)
    /// The stream is in UTF-16 or UTF-32.
    case notUTF8
    /// A value of another type than the caller can use begins here.
    case wrongType(offset: Int, wanted: JSONKind)
}
