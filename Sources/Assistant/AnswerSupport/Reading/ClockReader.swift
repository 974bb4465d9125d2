/// Finds times of day that are written with digits: 10:30, 14h30, 7 pm, 18 Uhr, 14時半.
struct ClockReader {
    private let scalars: [(scalar: Unicode.Scalar, offset: Int)]
    private let end: Int

    init(text: String) {
        var offset = 0
        scalars = text.unicodeScalars.map { scalar in
            defer { offset += scalar.utf8Width }
            return (scalar, offset)
        }
        end = offset
    }

    func all() -> [StatedTime] {
        var times: [StatedTime] = []
        var place = 0
        while place < scalars.count {
            guard digit(place) != nil, digit(place - 1) == nil, !isSign(place - 1),
                !isLetter(place - 1) || isHan(place - 1)
            else {
                place += 1
                continue
            }
            if let (time, next) = time(from: place) {
                times.append(time)
                place = next
            } else {
                while digit(place) != nil { place += 1 }
            }
        }
        return times
    }

    private func time(from start: Int) -> (StatedTime, Int)? {
        guard let (hour, behind) = number(start), hour <= 24 else { return nil }
        var (place, minute, isTime, isExact) = (behind, 0, false, hour > 12 || hour == 0)
        if has(":", place) || has("：", place), let (value, next) = number(place + 1), next == place + 3, value < 60 {
            (minute, place, isTime) = (value, next, true)
        } else if has("h", skipped(place)), !isLetter(skipped(place) + 1) {
            let next = skipped(place) + 1
            if let (value, last) = number(skipped(next)), last == skipped(next) + 2, value < 60, !isLetter(last) {
                (minute, place, isTime) = (value, last, true)
            } else if hour > 12 {
                (place, isTime) = (next, true)
            }
        } else if has("時", place), !has("間", place + 1) {
            (place, isTime) = (place + 1, true)
            if has("半", place) {
                (minute, place) = (30, place + 1)
            } else if let (value, last) = number(place), has("分", last) {
                (minute, place) = (value, last + 1)
            }
        } else if has("U", skipped(place)) || has("u", skipped(place)), word(skipped(place)) == "uhr" {
            (place, isTime) = (skipped(place) + 3, true)
            if let (value, last) = number(skipped(place)), last == skipped(place) + 2, value < 60, !has(".", last) {
                (minute, place) = (value, last)
            }
        } else if ["heures", "horas"].contains(word(skipped(place))), hour > 12 {
            (place, isTime) = (skipped(place) + word(skipped(place)).count, true)
        }
        var shift = half(skipped(place))
        if let half = shift {
            (place, isTime, isExact) = (half.end, true, true)
        } else if isTime {
            shift = half(before: start)
            if shift != nil { isExact = true }
        }
        guard isTime, minute < 60 else { return nil }
        var total = hour % 24 * 60 + minute
        if let shift, hour <= 12 { total = hour % 12 * 60 + minute + (shift.isAfternoon ? 720 : 0) }
        let range = scalars[start].offset..<(place < scalars.count ? scalars[place].offset : end)
        return (StatedTime(range: range, minute: total, isExact: isExact), max(place, start + 1))
    }

    private func half(_ place: Int) -> (isAfternoon: Bool, end: Int)? {
        let word = word(place)
        if word == "am" || word == "pm" { return (word == "pm", place + 2) }
        if (word == "a" || word == "p"), has(".", place + 1), has("m", place + 2) { return (word == "p", place + 3) }
        return nil
    }

    /// 午後, 夜 and 朝 are before the hour.
    private func half(before start: Int) -> (isAfternoon: Bool, end: Int)? {
        if has("後", start - 1), has("午", start - 2) { return (true, start) }
        if has("前", start - 1), has("午", start - 2) { return (false, start) }
        let place = has("の", start - 1) ? start - 2 : start - 1
        if has("夜", place) { return (true, start) }
        if has("朝", place) { return (false, start) }
        return nil
    }

    private func number(_ start: Int) -> (Int, Int)? {
        var (value, place) = (0, start)
        // bounded: three digits
        while let digit = digit(place), place < start + 3 { (value, place) = (value * 10 + digit, place + 1) }
        return place > start && place <= start + 2 ? (value, place) : nil
    }

    private func digit(_ place: Int) -> Int? {
        guard scalars.indices.contains(place) else { return nil }
        let value = scalars[place].scalar.value
        if (0x30...0x39).contains(value) { return Int(value - 0x30) }
        return (0xFF10...0xFF19).contains(value) ? Int(value - 0xFF10) : nil
    }

    private func skipped(_ place: Int) -> Int {
        has(" ", place) || has("\u{A0}", place) || has("\u{202F}", place) ? place + 1 : place
    }

    private func has(_ scalar: Unicode.Scalar, _ place: Int) -> Bool {
        scalars.indices.contains(place) && scalars[place].scalar == scalar
    }

    /// Whether a number continues over a sign before it: "1.30", "1,30".
    private func isSign(_ place: Int) -> Bool {
        (has(".", place) || has(",", place) || has(":", place)) && digit(place - 1) != nil
    }

    private func isLetter(_ place: Int) -> Bool {
        scalars.indices.contains(place) && scalars[place].scalar.properties.isAlphabetic
    }

    private func isHan(_ place: Int) -> Bool {
        scalars.indices.contains(place) && scalars[place].scalar.value >= 0x3000
    }

    /// The letters from a place, in lower case; at most eight.
    private func word(_ start: Int) -> String {
        var word = ""
        var place = start
        while isLetter(place), place < start + 8, scalars[place].scalar.isASCII {
            word.unicodeScalars.append(scalars[place].scalar)
            place += 1
        }
        return word.lowercased()
    }
}

extension Unicode.Scalar {
    /// Its length in UTF-8.
    var utf8Width: Int { value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4 }
}
