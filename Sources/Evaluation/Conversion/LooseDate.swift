import ChatCore

/// The dates of the public data sets, none with a zone: they are taken for UTC.
enum LooseDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads `1:56 pm on 8 May, 2023`, `2023/05/20 (Sat) 02:21`, `29.12.2023, 22:30:05` or ISO 8601; else nil.
    static func moment(in text: String) -> Timestamp? {
        if let moment = Timestamp(iso8601: text) { return moment }
        if let match = text.wholeMatch(of: /(\d{1,2}):(\d{2})\s*([aApP])[mM] on (\d{1,2}) ([A-Za-z]+),? (\d{4})/) {
            guard let month = months.firstIndex(of: String(match.5.lowercased().prefix(3))), let hour = Int(match.1),
                (1...12).contains(hour)
            else { return nil }
            let isAfternoon = match.3.lowercased() == "p"
            return moment(match.6, "\(month + 1)", match.4, "\(hour % 12 + (isAfternoon ? 12 : 0))", match.2, nil)
        }
        if let match = text.wholeMatch(of: /(\d{4})\/(\d{1,2})\/(\d{1,2})(?: \([A-Za-z]+\))? (\d{1,2}):(\d{2})/) {
            return moment(match.1, match.2, match.3, match.4, match.5, nil)
        }
        if let match = text.wholeMatch(of: /(\d{1,2})\.(\d{1,2})\.(\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2}))?/) {
            return moment(match.3, match.2, match.1, match.4, match.5, match.6)
        }
        return nil
    }

    private static func moment(
        _ year: some StringProtocol, _ month: some StringProtocol, _ day: some StringProtocol,
        _ hour: some StringProtocol, _ minute: some StringProtocol, _ second: Substring?
    ) -> Timestamp? {
        func two(_ digits: some StringProtocol) -> String { digits.count < 2 ? "0\(digits)" : String(digits) }
        let date = "\(year)-\(two(month))-\(two(day))"
        return Timestamp(iso8601: "\(date)T\(two(hour)):\(two(minute)):\(second.map(String.init) ?? "00")Z")
    }
}
