/// Walks over date and time at the beginning of a line; marks that nobody sees are passed over.
struct HeadScanner {
    private let scalars: String.UnicodeScalarView
    private var position: String.UnicodeScalarView.Index

    init(_ line: String) {
        scalars = line.unicodeScalars
        position = scalars.startIndex
    }

    private mutating func peek() -> Unicode.Scalar? {
        while position < scalars.endIndex, InvisibleMarks.isMark(scalars[position]) {
            scalars.formIndex(after: &position)
        }
        return position < scalars.endIndex ? scalars[position] : nil
    }

    mutating func skip(_ choices: Unicode.Scalar...) -> Bool {
        guard let scalar = peek(), choices.contains(scalar) else { return false }
        scalars.formIndex(after: &position)
        return true
    }

    @discardableResult
    private mutating func skipBlank() -> Bool {
        guard let scalar = peek(), InvisibleMarks.isBlank(scalar) else { return false }
        scalars.formIndex(after: &position)
        return true
    }

    /// The unread text.
    func rest() -> String { String(scalars[position...]) }

    /// Reads up to `limit` digits of any script.
    private mutating func number(limit: Int) -> (value: Int, digitCount: Int)? {
        var value = 0
        var count = 0
        while let scalar = peek(), count < limit, let digit = Self.digit(scalar) {
            value = value * 10 + digit  // bounded: four digits at most
            count += 1
            scalars.formIndex(after: &position)
        }
        return count > 0 ? (value, count) : nil
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII { return (0x30...0x39).contains(scalar.value) ? Int(scalar.value) - 0x30 : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return Int(value)
    }

    /// Reads three numbers between `/`, `.` or `-`, and the comma or blank that ends the date.
    mutating func date() -> (parts: [Int], digitCounts: [Int], hasDots: Bool)? {
        guard let first = number(limit: 4), let separator = peek(), "/.-".unicodeScalars.contains(separator),
            skip(separator)
        else { return nil }
        skipBlank()
        guard let second = number(limit: 2), skip(separator) else { return nil }
        skipBlank()
        guard let third = number(limit: 4) else { return nil }
        let isEnded = skip(".", ",", "،")
        _ = skip(",")
        guard skipBlank() || isEnded else { return nil }
        return (
            [first.value, second.value, third.value], [first.digitCount, second.digitCount, third.digitCount],
            separator == "."
        )
    }

    /// Reads a time with the half of the day before or after it.
    mutating func time() -> (hour: Int, minute: Int, second: Int)? {
        var half = DayHalf(words(limit: 12))
        guard let hour = number(limit: 2), skip(":", "."), let minute = number(limit: 2), minute.digitCount == 2 else {
            return nil
        }
        var second = 0
        if let separator = peek(), separator == ":" || separator == "." {
            let start = position
            _ = skip(separator)
            if let value = number(limit: 2), value.digitCount == 2 { second = value.value } else { position = start }
        }
        if half == nil {
            let start = position
            half = DayHalf(words(limit: 12))
            // A word that is not a half of the day belongs to the following text.
            if half == nil { position = start }
        }
        guard let hour = half.map({ $0.hour(hour.value) }) ?? hour.value, hour < 24, minute.value < 60, second < 60
        else { return nil }
        return (hour, minute.value, second)
    }

    /// Reads the text before the next digit, bracket, dash, comma or colon.
    private mutating func words(limit: Int) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek(), text.count < limit, Self.digit(scalar) == nil,
            !"],-–:".unicodeScalars.contains(scalar)
        {
            text.append(scalar)
            scalars.formIndex(after: &position)
        }
        return String(text)
    }

    /// Reads the end of a head without brackets: ` - `, or `, ` or `: ` in older exports.
    mutating func dash() -> Bool {
        while skipBlank() {}
        guard skip("-", "–", ",", ":") else { return false }
        return skipBlank() || peek() == nil
    }
}

/// A half of the day, as the languages of phones write it.
enum DayHalf {
    case morning
    case afternoon
    /// Midday, which Chinese distinguishes.
    case noon

    private static let mornings: Set<String> = [
        "am", "ص", "πμ", "de", "öö", "fm", "ap", "sa", "pd", "dop", "дп", "上午", "午前", "오전", "凌晨", "早上",
        "清晨", "पूर्वाह्न", "ก่อนเที่ยง",
    ]
    private static let afternoons: Set<String> = [
        "pm", "م", "μμ", "du", "ös", "em", "ip", "ch", "md", "odp", "пп", "下午", "午後", "오후", "晚上", "傍晚",
        "अपराह्न", "หลังเที่ยง",
    ]

    /// Reads the words around a time; nil if they are not a half of the day.
    init?(_ words: String) {
        let letters = String(
            String.UnicodeScalarView(
                words.lowercased().unicodeScalars.filter { $0 != "." && !InvisibleMarks.isBlank($0) }))
        if letters == "中午" {
            self = .noon
        } else if Self.mornings.contains(letters) {
            self = .morning
        } else if Self.afternoons.contains(letters) {
            self = .afternoon
        } else {
            return nil
        }
    }

    /// The hour of 24; nil for one that this half has not.
    func hour(_ hour: Int) -> Int? {
        switch self {
        case .morning: hour <= 12 ? hour % 12 : nil
        case .afternoon: hour <= 12 ? hour % 12 + 12 : hour
        case .noon: hour <= 2 ? hour + 12 : hour
        }
    }
}
