package import ChatCore
package import Retrieval

/// Where the next page of a search begins, as the bytes that clients send back sealed.
///
/// They hold what the server has to know, so that any node can continue, also after a restart: the search that it belongs
/// to, the time of its first page, and the numbers of the messages that were shown. They give no right: each page asks for
/// permission again. Numbers of messages tell how much is written elsewhere, so clients see neither them nor, by the
/// length, their distances: each has eight bytes.
package struct SearchCursor: Hashable {
    /// The first byte; changes with the form.
    private static let version: UInt8 = 1
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

    /// Reads the bytes of a cursor; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        guard bytes.first == Self.version, bytes.count % 8 == 1, bytes.count / 8 >= Self.headCount,
            bytes.count / 8 - Self.headCount <= 2 * SearchRequest.resultLimit
        else { return nil }
        let words = stride(from: 1, to: bytes.count, by: 8).map { start in
            // bounded: within a text of some thousand bytes
            Int64(bitPattern: bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) })
        }
        let shown = words.dropFirst(Self.headCount)
        guard words[2] >= 0, (1..<SearchRequest.resultLimit).contains(Int(clamping: words[3])),
            shown.allSatisfy({ $0 > 0 }), zip(shown, shown.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        search = words[0]
        askedAt = Timestamp(microseconds: words[1])
        continuation = SearchContinuation(
            count: Int(clamping: words[3]), shown: Set(shown.map { MessageNumber(rawValue: $0) }),
            newest: MessageNumber(rawValue: words[2]))
    }

    /// Whether it belongs to the search of a request.
    package func belongs(to request: SearchRequest) -> Bool { search == Self.hash(of: request) }

    /// The bytes.
    package var bytes: [UInt8] {
        let head = [search, askedAt.microseconds, continuation.newest.rawValue, Int64(continuation.count)]
        return (head + continuation.shown.map(\.rawValue).sorted()).reduce(into: [Self.version]) { bytes, word in
            withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
        }
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
