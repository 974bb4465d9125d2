import ChatCore
import TextAnalysis

/// Finds the quantities of a text: digits with their signs and units, number words, halves.
struct QuantityReader {
    let words: ClaimWords
    let language: TextLanguage
    private let tokens: [TextToken]
    private let scalars: [(scalar: Unicode.Scalar, offset: Int)]
    private let end: Int

    /// The most digits of a number that are read.
    private static let digitLimit = 15

    init(text: String, tokens: [TextToken], words: ClaimWords, language: TextLanguage) {
        var offset = 0
        scalars = text.unicodeScalars.map { scalar in
            defer { offset += scalar.utf8Width }
            return (scalar, offset)
        }
        end = offset
        self.tokens = tokens.filter { $0.kind == .word }
        (self.words, self.language) = (words, language)
    }

    /// - Parameter taken: Ranges of days and times, whose digits are no quantities.
    /// - Returns: The quantities in order.
    func all(except taken: [Range<Int>]) -> [Quantity] {
        let taken = RangeSet8(taken)
        let written = digits(taken)
        let known = RangeSet8(written.map(\.range))
        let spelled = (language == .japanese ? kanji() : spelled())
            .filter { !taken.overlaps($0.range) && !known.overlaps($0.range) }
        return (written + spelled).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private func offset(_ place: Int) -> Int { place < scalars.count ? scalars[max(place, 0)].offset : end }

    private func scalar(_ place: Int) -> Unicode.Scalar? {
        scalars.indices.contains(place) ? scalars[place].scalar : nil
    }

    private func digit(_ place: Int) -> Int? {
        guard let value = scalar(place)?.value else { return nil }
        if (0x30...0x39).contains(value) { return Int(value - 0x30) }
        return (0xFF10...0xFF19).contains(value) ? Int(value - 0xFF10) : nil
    }

    private func isSpace(_ place: Int) -> Bool {
        scalar(place).map { $0 == " " || $0 == "\u{A0}" || $0 == "\u{202F}" || $0 == "\u{2009}" } ?? false
    }

    // MARK: Digits

    private func digits(_ taken: RangeSet8) -> [Quantity] {
        var found: [Quantity] = []
        var place = 0
        while place < scalars.count {
            guard digit(place) != nil else {
                place += 1
                continue
            }
            let (values, behind) = number(place)
            let next = max(behind, place + 1)
            if !taken.overlaps(offset(place)..<offset(next)) {
                let (quantity, last) = quantity(values, place..<next)
                found.append(quantity)
                place = max(last, next)
            } else {
                place = next
            }
        }
        return found
    }

    /// Returns the group of digits at a place.
    private func group(_ start: Int) -> (value: Double, count: Int) {
        var (value, place) = (0.0, start)
        while let digit = digit(place) {
            // bounded: floating point
            if place - start < Self.digitLimit { value = value * 10 + Double(digit) }
            place += 1
        }
        return (value, place - start)
    }

    /// Reads digits with the signs between them; "1.840" has two meanings.
    private func number(_ start: Int) -> (values: [Double], end: Int) {
        let first = group(start)
        var groups = [first]
        var signs: [Unicode.Scalar] = []
        var place = start + first.count
        while let sign = scalar(place), digit(place + 1) != nil, groups.count < 6 {
            let next = group(place + 1)
            let isBlank = isSpace(place)
            guard sign == "." || sign == "," || sign == "'" || sign == "’" || isBlank else { break }
            if isBlank || sign == "'" || sign == "’" {
                guard next.count == 3, groups.count > 1 || (1...3).contains(first.count), first.value > 0 else { break }
            }
            if let last = signs.last, isBlank != (last == " ") { if isBlank { break } }
            signs.append(isBlank ? " " : sign)
            groups.append(next)
            place += 1 + next.count
        }
        return (Self.values(of: groups, signs), place)
    }

    private static func values(of groups: [(value: Double, count: Int)], _ signs: [Unicode.Scalar]) -> [Double] {
        let joined = { (parts: ArraySlice<(value: Double, count: Int)>) in
            // bounded: floating point
            parts.reduce(0.0) { $0 * 1_000 + $1.value }
        }
        guard let last = groups.last, let sign = signs.last else { return [groups[0].value] }
        let fraction = last.value / (0..<min(last.count, digitLimit)).reduce(1.0) { power, _ in power * 10 }
        let areThousands = groups.dropFirst().allSatisfy { $0.count == 3 } && groups[0].count <= 3
        if signs.count == 1 {
            if sign == " " || sign == "'" || sign == "’" { return [joined(groups[...])] }
            let decimal = groups[0].value + fraction
            return areThousands && groups[0].value > 0 ? [joined(groups[...]), decimal] : [decimal]
        }
        if signs.allSatisfy({ $0 == sign }) {
            if areThousands { return [joined(groups[...])] }
            // A version: its parts in one number that no other version has.
            // bounded: floating point
            return [groups.reduce(0.5) { $0 * 1_000 + $1.value }]
        }
        return [joined(groups.dropLast()) + fraction]
    }

    /// Adds what is around the digits: "£240", "3.5k", "18万4千円", "20 min".
    private func quantity(_ values: [Double], _ places: Range<Int>) -> (Quantity, end: Int) {
        var (values, start, place) = (values, places.lowerBound, places.upperBound)
        var unit: Unit?
        var before = start - 1
        if isSpace(before) { before -= 1 }
        if let sign = scalar(before), let money = Unit.shared[String(sign)], money.isMoney {
            (unit, start) = (money, before)
        }
        if language == .japanese, let (sum, next) = myriads(values, from: place) { (values, place) = ([sum], next) }
        if let (factor, next) = multiplier(at: place) {
            values = values.map { $0 * factor }
            place = next
        }
        if let (found, next) = self.unit(at: place) {
            // "$3.50 each" keeps its currency.
            if unit == nil { (unit, place) = (found, next) }
        }
        let range = offset(start)..<offset(place)
        return (Quantity(range: range, values: values, unit: unit, isWeak: false), place)
    }

    /// "18万4千", "5万8千": the rest behind a myriad is added.
    private func myriads(_ values: [Double], from start: Int) -> (Double, Int)? {
        guard var sum = values.first, let sign = scalar(start), let factor = words.multipliers[String(sign)] else {
            return nil
        }
        sum *= factor
        var place = start + 1
        while digit(place) != nil, place < start + 16 {
            let next = group(place)
            let behind = place + next.count
            guard let sign = scalar(behind), let factor = words.multipliers[String(sign)] else {
                return (sum + next.value, behind)
            }
            sum += next.value * factor
            place = behind + 1
        }
        return (sum, place)
    }

    private func letters(_ start: Int) -> (word: String, end: Int) {
        var (word, place) = ("", start)
        while let scalar = scalar(place), scalar.properties.isAlphabetic || "³²".unicodeScalars.contains(scalar),
            place < start + 24
        {
            word.unicodeScalars.append(scalar)
            place += 1
        }
        return (TextAnalyzer.tokens(of: word, language: .other).first?.word ?? word.lowercased(), place)
    }

    private func multiplier(at place: Int) -> (Double, Int)? {
        if language == .japanese { return nil }
        let (word, next) = letters(isSpace(place) ? place + 1 : place)
        guard let factor = words.multipliers[word], factor != 20 else { return nil }
        return (factor, next)
    }

    private func unit(at place: Int) -> (Unit, Int)? {
        let start = isSpace(place) || scalar(place) == "-" ? place + 1 : place
        guard let first = scalar(start) else { return nil }
        if language == .japanese {
            for length in (1...6).reversed() {
                let word = String(String.UnicodeScalarView((start..<start + length).compactMap(scalar)))
                if let unit = words.units[word] { return (unit, start + length) }
            }
        }
        if first == "°" { return (Unit(.temperature), start + (scalar(start + 1) == "C" ? 2 : 1)) }
        if !first.properties.isAlphabetic {
            return Unit.shared[String(first)].map { ($0, start + 1) }
        }
        var (word, next) = letters(start)
        if scalar(next) == "/", word == "km" { (word, next) = ("km/h", next + 2) }
        if word == "m", digit(next) == 3 { (word, next) = ("m3", next + 1) }
        if let unit = words.units[word] ?? Unit.shared[word] { return (unit, next) }
        if isSpace(next) {
            let (second, last) = letters(next + 1)
            if let unit = words.units["\(word) \(second)"] { return (unit, last) }
        }
        return nil
    }

    // MARK: Words

    private func kanji() -> [Quantity] {
        var found: [Quantity] = []
        var place = 0
        let text = String(String.UnicodeScalarView(scalars.map(\.scalar)))
        for (phrase, amount) in words.amounts where text.contains(phrase) {
            let finder = Array(phrase.unicodeScalars)
            for start in scalars.indices where start + finder.count <= scalars.count {
                guard finder.indices.allSatisfy({ scalars[start + $0].scalar == finder[$0] }) else { continue }
                let range = offset(start)..<offset(start + finder.count)
                found.append(Quantity(range: range, values: [amount.value], unit: amount.unit, isWeak: false))
            }
        }
        while place < scalars.count {
            let start = place
            var (sum, part) = (0.0, 0.0)
            while let scalar = scalar(place), place < start + 8 {
                if let value = words.numbers[String(scalar)] {
                    part = value
                } else if let factor = words.multipliers[String(scalar)], place > start {
                    (sum, part) = (sum + max(part, 1) * factor, 0)
                } else {
                    break
                }
                place += 1
            }
            guard place > start else {
                place += 1
                continue
            }
            let unit = unit(at: place)
            guard unit != nil || scalar(place).map({ "人つ枚本個回名台冊点票".unicodeScalars.contains($0) }) == true else {
                continue
            }
            found.append(
                Quantity(
                    range: offset(start)..<offset(unit?.1 ?? place), values: [sum + part], unit: unit?.0,
                    isWeak: unit == nil && sum + part <= 3))
        }
        return found
    }

    private func spelled() -> [Quantity] {
        var found: [Quantity] = []
        var place = 0
        while place < tokens.count {
            if let (quantity, next) = amount(place) ?? half(place) ?? cardinal(place) ?? ordinal(place) {
                found.append(quantity)
                place = max(next, place + 1)
            } else {
                place += 1
            }
        }
        return found
    }

    private func word(_ place: Int) -> String? { tokens.indices.contains(place) ? tokens[place].word : nil }

    private func range(_ places: Range<Int>) -> Range<Int> {
        tokens[places.lowerBound].range.lowerBound..<tokens[places.upperBound - 1].range.upperBound
    }

    /// "Fortnight", "quinze jours".
    private func amount(_ place: Int) -> (Quantity, Int)? {
        guard !words.amounts.isEmpty, let word = word(place) else { return nil }
        let pair = self.word(place + 1).map { "\(word) \($0)" } ?? ""
        guard let (key, count) = words.amounts[pair] != nil ? (pair, 2) : words.amounts[word] != nil ? (word, 1) : nil,
            let amount = words.amounts[key]
        else { return nil }
        let quantity = Quantity(
            range: range(place..<place + count), values: [amount.value], unit: amount.unit, isWeak: false)
        return (quantity, place + count)
    }

    /// "Half an hour", "demi-heure"; "une heure et demie".
    private func half(_ place: Int) -> (Quantity, Int)? {
        guard let word = word(place) else { return nil }
        if words.halves.contains(word) {
            for next in place + 1...place + 2 {
                guard let unit = self.word(next).flatMap({ words.units[$0] }) else { continue }
                let quantity = Quantity(range: range(place..<next + 1), values: [0.5], unit: unit, isWeak: false)
                return (quantity, next + 1)
            }
        }
        guard let unit = words.units[word], let end = tail(place + 1) else { return nil }
        return (Quantity(range: range(place..<end), values: [1.5], unit: unit, isWeak: false), end)
    }

    /// "And a half", "et demie", "y media".
    private func tail(_ place: Int) -> Int? {
        guard let joint = word(place), words.numberJoints.contains(joint) else { return nil }
        for next in place + 1...place + 2 {
            if let word = word(next), words.halves.contains(word) { return next + 1 }
        }
        return nil
    }

    private func cardinal(_ start: Int) -> (Quantity, Int)? {
        var (sum, part, place, count) = (0.0, 0.0, start, 0)
        while let word = word(place), count < 8 {
            if let factor = words.multipliers[word], count > 0 || factor >= 100, word.utf8.count > 1 {
                if factor == 20 {
                    part = part == 4 ? 80 : part + 20
                } else if factor == 100 {
                    part = max(part, 1) * 100
                } else {
                    (sum, part) = ((sum + max(part, 1)) * factor, 0)
                }
            } else if let value = words.numbers[word] ?? (language == .german ? GermanNumber.value(of: word) : nil) {
                // "Two three" are two numbers; "quatre vingt" is 80.
                if part == 4, value == 20, language == .french {
                    part = 80
                } else if part > 0, !Self.continues(part, value) {
                    break
                } else {
                    part += value
                }
            } else if words.numberJoints.contains(word), count > 0, part >= 20 || sum > 0,
                let next = self.word(place + 1), words.numbers[next].map({ $0 < 100 }) ?? false
            {
                place += 1
                continue
            } else {
                break
            }
            (place, count) = (place + 1, count + 1)
        }
        guard count > 0 else { return nil }
        var (value, end) = (sum + part, place)
        let unit = word(end).flatMap { words.units[$0] ?? Unit.shared[$0] }
        if unit != nil { end += 1 }
        if unit != nil, let last = tail(end) { (value, end) = (value + 0.5, last) }
        let isWeak = unit == nil && count == 1 && value <= 3
        return (Quantity(range: range(start..<end), values: [value], unit: unit, isWeak: isWeak), end)
    }

    /// Whether a smaller number is added to the one before: "twenty five", "hundred and forty".
    private static func continues(_ part: Double, _ value: Double) -> Bool {
        if part >= 100, part.truncatingRemainder(dividingBy: 100) == 0 { return value < 100 }
        return (20...90).contains(part) && part.truncatingRemainder(dividingBy: 10) == 0 && value < 20
    }

    private func ordinal(_ place: Int) -> (Quantity, Int)? {
        guard let value = word(place).flatMap({ words.ordinals[$0] }) else { return nil }
        return (Quantity(range: range(place..<place + 1), values: [value], unit: nil, isWeak: true), place + 1)
    }
}

/// German numbers in one word: "fünfundzwanzig", "zweihundertvierzig".
enum GermanNumber {
    static func value(of word: String) -> Double? {
        guard word.utf8.count >= 8, word.utf8.count <= 60 else { return nil }
        return value(Substring(word), depth: 0)
    }

    private static func value(_ word: Substring, depth: Int) -> Double? {
        guard depth < 6 else { return nil }
        let numbers = ClaimWords.german.numbers
        if let value = numbers[String(word)] { return value }
        for (name, factor) in [("tausend", 1_000.0), ("hundert", 100)] {
            guard let split = split(word, at: name) else { continue }
            let count = split.0.isEmpty ? 1 : split.0 == "ein" ? 1 : value(split.0, depth: depth + 1)
            let rest =
                split.1.isEmpty ? 0 : value(split.1.hasPrefix("und") ? split.1.dropFirst(3) : split.1, depth: depth + 1)
            if let count, let rest { return count * factor + rest }
        }
        guard let (ones, tens) = split(word, at: "und") else { return nil }
        guard let one = ones == "ein" ? 1 : numbers[String(ones)], let ten = numbers[String(tens)], one < 10, ten >= 20
        else { return nil }
        return ten + one
    }

    private static func split(_ word: Substring, at name: String) -> (Substring, Substring)? {
        var rest = word[...]
        while rest.count >= name.count {
            if rest.hasPrefix(name) { return (word[..<rest.startIndex], rest.dropFirst(name.count)) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
