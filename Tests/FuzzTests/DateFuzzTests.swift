import ChatCore
import Testing
import TextAnalysis

/// Messages and questions made of words for dates and of numerals of every script.
@Suite("Fuzz: dates") struct DateFuzzTests {
    private static let words = [
        "in", "within", "vor", "seit", "since", "before", "after", "between", "and", "from", "to", "until", "the", "of",
        "am",
        "um", "at", "by", "on", "last", "next", "this", "letzte", "nächste", "ago", "few", "couple", "days", "weeks",
        "months", "years", "quarters", "hours", "minutes", "weekend", "Friday", "Freitag", "May", "mai", "December",
        "noon",
        "EOD", "end", "Q3", "Q9", "spring", "working", "business", "fortnight", "half", "uhr", "pm", "12am", "48h",
        "99d",
        "9999w", "3rd", "31st", "T17", "03T17", ":", ".", "/", "-", "–", ",", "(", "）", "時間後", "日後", "週間後", "か月後",
        "月", "日", "時", "半", "分", "午後", "午前", "来週", "再来週", "の", "金曜日", "月末", "年内", "正午", "明日",
        "UTC", "PT", "IST", "GMT-3", "UTC+2", "+05:30", "Z", "00Z", "03T17:00:00", "Berlin", "time", "Zeit", "heure",
        "de",
        "XYZT", "Europe/Berlin", "or", "not", "nicht", "every", "jeden", "daily", "day", "half past", "o'clock", "1730",
        "morning", "evening", "tonight", "JST", "日本時間", "から", "以降", "か", "毎週", "昨日", "年", "末",
    ]
    private static let numerals =
        [
            "0", "00", "1", "7", "9999", "10000", "2199", "2200", "1900", "29", "30", "31", "32", "60",
            "99999999999999999999",
        ]
        + [
            "京", "億", "兆", "万", "千", "百", "十", "一", "九", "〇", "零", "垓", "௲", "Ⅻ", "½", "³", "٣", "៣", "９", "９９９９", "१२",
            "༣", "𝟗", "➓",
        ]
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Beirut", "Pacific/Apia", "Antarctica/Troll", "",
        "nowhere", "UTC+99",
    ]
    private static let moments: [Int64] = [
        .min, .min + 1, -62_135_596_800_000_000, -2_208_988_800_000_000, -1, 0, 1_761_117_300_000_000,
        1_709_200_000_000_000, 7_289_654_399_999_999, 7_289_654_400_000_000, 253_402_300_799_999_999, .max,
    ]

    private static func text(_ chance: inout FuzzChance) -> String {
        var text = ""
        for _ in 0..<(1 + chance.below(7)) {
            text += chance.isTrue(45) ? chance.one(of: numerals) : chance.one(of: words)
            if chance.isTrue(60) { text += " " }
        }
        return text
    }

    @Test func noTextEndsTheReadingOfDates() {
        var chance = FuzzRun.chance(1)
        let count = FuzzRun.count(6_000)
        var found = 0
        for _ in 0..<count {
            let text = Self.text(&chance)
            let zone = chance.one(of: Self.zones)
            let moment = Timestamp(
                microseconds: chance.isTrue(85) ? 1_761_117_300_000_000 : chance.one(of: Self.moments))
            FuzzRun.note("\(moment.microseconds) \(zone) \(text)")
            found += DueDates.find(in: text, saidAt: moment, zone: zone).count
            found += DateExpressions.find(in: text, askedAt: moment, zone: zone).count
            _ = DueDates.meaning(of: 0..<text.utf8.count, in: text, saidAt: moment, zone: zone)
            found += DueDates.endOfDay(text, zone: zone) == nil ? 0 : 1
            found += Timestamp(iso8601: text) == nil ? 0 : 1
            _ = DateExpressions.dateWords(of: moment, zone: zone)
            _ = moment.iso8601
        }
        FuzzRun.finished("dates", count)
        #expect(found > count / 20)
    }

    @Test func noTimeEndsItsArithmetic() {
        var chance = FuzzRun.chance(2)
        let count = FuzzRun.count(3_000)
        for _ in 0..<count {
            let number = chance.isTrue(50) ? chance.one(of: Self.moments) : Int64(bitPattern: chance.next())
            let other =
                chance.isTrue(50)
                ? chance.one(of: Self.moments) : Int64(bitPattern: chance.next() >> UInt64(chance.below(64)))
            let (left, right) = (Timestamp(microseconds: number), Timestamp(milliseconds: other))
            FuzzRun.note("\(number) \(other)")
            _ = left + (right - left)
            _ = right + .seconds(number) + .milliseconds(other)
            _ = left.iso8601 + right.iso8601
            _ = (left.milliseconds, left.day)
        }
        FuzzRun.finished("times", count)
    }
}
