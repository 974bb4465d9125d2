package import ChatCore

/// Times of exports; one that lies outside of the years 1 to 9999 is no time.
package enum HistoryTime {
    private static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The moment `count` seconds after 1970; nil if it is not a valid time.
    static func moment(seconds count: Int64) -> Timestamp? {
        count.within(seconds)?.multiplied(by: 1_000_000).map { Timestamp(microseconds: $0) }
    }

    /// The moment `count` milliseconds after 1970; nil if it is not a valid time.
    package static func moment(milliseconds count: Int64) -> Timestamp? {
        count.multiplied(by: 1_000).flatMap { checked(Timestamp(microseconds: $0)) }
    }

    /// Reads ISO 8601 with a zone; nil for no time.
    static func moment(iso8601 text: String) -> Timestamp? { Timestamp(iso8601: text).flatMap(checked) }

    private static func checked(_ moment: Timestamp) -> Timestamp? {
        let last = seconds.upperBound * 1_000_000 + 999_999
        return moment.microseconds.within(seconds.lowerBound * 1_000_000...last).map { Timestamp(microseconds: $0) }
    }

    /// A moment in UTC, such as `2023-11-14 22:13 UTC`.
    static func minute(_ moment: Timestamp) -> String {
        let text = moment.iso8601
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    /// The error for a field without a valid time.
    static func fault(of key: String, in fields: JSONFields) -> ImportLineError {
        guard fields.integer(key) != nil else { return fields.missing(key) }
        return ImportLineError(reason: "field \"\(key)\": not a time of the years 1 to 9999")
    }
}

/// The number of bytes to read according to archives; limited to what a progress can show.
enum ByteSum {
    private static let limit = 1 << 60

    static func of(_ first: Int, _ second: Int) -> Int {
        min(max(0, first).adding(max(0, second)) ?? limit, limit)
    }
}
