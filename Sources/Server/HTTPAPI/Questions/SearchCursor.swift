package import ChatCore
package import Retrieval

/// Where the next page of a search begins, as the text that clients send back.
///
/// The text holds what the server has to know, so that any node can continue, also after a restart: the search that it
/// belongs to, the time of its first page, and the numbers of the messages that were shown. It gives no right: each page
/// asks for permission again.
package struct SearchCursor: Hashable {
    /// The first byte; changes with the form.
    private static let version: UInt8 = 1
    /// A longer text is refused before it is read: about twice what 500 results need.
    private static let lengthLimit = 12_000
    /// The numbers of 64 bits after the version.
    private static let headCount = 4

    /// The time of the first page, which decides what "yesterday" means on all pages.
    package let askedAt: Timestamp
    /// What earlier pages showed.
    package let continuation: SearchContinuation
    /// A hash of the search that it belongs to.
    private let search: Int64

    /// Makes the cursor behind a page; `request` is the request for that page.
    package init(_ continuation: SearchContinuation, of request: SearchRequest, askedAt: Timestamp) {
        self.askedAt = request.askedAt ?? askedAt
        self.continuation = continuation
        search = Self.hash(of: request)
    }

    /// Reads the text of a cursor; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, let bytes = Base64URL.decode(text.utf8), bytes.first == Self.version,
            bytes.count >= 1 + 8 * Self.headCount
        else { return nil }
        let head = (0..<Self.headCount).map { place in
            // bounded: four places
            Int64(bitPattern: bytes[(1 + 8 * place)..<(9 + 8 * place)].reduce(0) { $0 << 8 | UInt64($1) })
        }
        guard head[2] >= 0, (1..<SearchRequest.resultLimit).contains(Int(clamping: head[3])),
            let shown = Self.numbers(bytes[(1 + 8 * Self.headCount)...])
        else { return nil }
        search = head[0]
        askedAt = Timestamp(microseconds: head[1])
        continuation = SearchContinuation(
            count: Int(clamping: head[3]), shown: shown, newest: MessageNumber(rawValue: head[2]))
    }

    /// Whether it belongs to the search of a request.
    package func belongs(to request: SearchRequest) -> Bool { search == Self.hash(of: request) }

    /// The text.
    package var text: String {
        let head = [search, askedAt.microseconds, continuation.newest.rawValue, Int64(continuation.count)]
        var bytes = [Self.version]
        for number in head { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
        // Each number as its distance from the one before it, 7 bits in a byte, which is 1 to 3 bytes for most.
        var last: UInt64 = 0
        for number in continuation.shown.map({ UInt64(bitPattern: $0.rawValue) }).sorted() {
            var distance = number &- last
            last = number
            while distance >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: distance) | 0x80)
                distance >>= 7
            }
            bytes.append(UInt8(distance))
        }
        return Base64URL.encode(bytes)
    }

    private static func numbers(_ bytes: ArraySlice<UInt8>) -> Set<MessageNumber>? {
        var numbers: Set<MessageNumber> = []
        var (last, distance, shift): (UInt64, UInt64, UInt64) = (0, 0, 0)
        for byte in bytes {
            guard shift < 63 else { return nil }
            distance |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            let (number, overflow) = last.addingReportingOverflow(distance)
            guard !overflow, number <= UInt64(Int64.max), distance > 0 else { return nil }
            numbers.insert(MessageNumber(rawValue: Int64(number)))
            (last, distance, shift) = (number, 0, 0)
        }
        return shift == 0 && numbers.count <= 2 * SearchRequest.resultLimit ? numbers : nil
    }

    private static func hash(of request: SearchRequest) -> Int64 {
        let filter = request.filter
        let places: [String]? =
            if case .only(let ids) = request.scope.conversations { ids.map(\.rawValue).sorted() } else { nil }
        let parts: [String] = [
            request.scope.asker.rawValue, request.question, "\(places ?? ["all"])", "\(places == nil)",
            "\(filter.senderIDs?.map(\.rawValue).sorted() ?? ["all"])", "\(filter.senderIDs == nil)",
            "\(filter.from?.microseconds ?? 0)", "\(filter.to?.microseconds ?? 0)",
            "\(filter.kinds.map { Int($0.rawValue) } ?? -1)", request.timeZone ?? "",
        ]
        // With the length of each part, so that no text can be two searches.
        return StableHash.number(of: parts.map { "\($0.utf8.count):\($0)" }.joined())
    }
}
