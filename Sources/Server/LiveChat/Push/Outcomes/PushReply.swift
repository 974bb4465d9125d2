import ChatCore
package import Foundation

/// A service's reply to a request.
package struct PushReply: Sendable {
    /// The HTTP status.
    package let status: Int
    /// The headers; names in lower case.
    package let headers: [String: String]
    /// The body.
    package let body: Data

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        self.body = body
    }

    /// The body as JSON; null if it is none.
    var json: JSONValue { (try? JSONParser.parse(Array(body))) ?? .null }
}

/// The header `Retry-After`: RFC 9110, section 10.2.3.
enum RetryAfter {
    private static let longest: Int64 = 30 * 86_400
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Returns how long to wait; nil for a text that is neither seconds nor an HTTP date.
    ///
    /// A date in the past means no wait; longer than 30 days means 30 days.
    static func pause(_ text: String, now: Timestamp) -> Duration? {
        let text = text.trimmingWhitespace()
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(text) ?? longest, longest))
        }
        guard let date = date(text, now: now) else { return nil }
        return min(max(date - now, .zero), .seconds(longest))
    }

    /// Reads the three forms of an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`.
    private static func date(_ text: String, now: Timestamp) -> Timestamp? {
        let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        guard words.count == 6 && words[5] == "gmt" || words.count == 5 else { return nil }
        let parts =
            words.count == 6 ? (words[1], words[2], words[3], words[4]) : (words[2], words[1], words[4], words[3])
        guard let day = number(parts.0, digits: 1...2), let month = months.firstIndex(of: parts.1),
            let yearNumber = number(parts.2, digits: 2...4), parts.3.utf8.count == 8
        else { return nil }
        let year = parts.2.utf8.count == 2 ? century(of: yearNumber, now: now) : yearNumber
        let text = "\(padded(year, 4))-\(padded(month + 1, 2))-\(padded(day, 2))T\(parts.3)Z"
        return Timestamp(iso8601: text)
    }

    /// Returns the full year: one that seems more than 50 years in the future is in the past.
    private static func century(of year: Int, now: Timestamp) -> Int {
        let present = Int(now.iso8601.prefix(4)) ?? 2_000
        let guess = present - present % 100 + year
        return guess > present + 50 ? guess - 100 : guess
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
