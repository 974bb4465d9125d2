extension Language {
    static let japanese: Language = {
        var japanese = Language(.japanese)
        japanese.pronouns = PronounWords(
            pointers: ["それ", "その", "これ", "この", "あれ", "あの", "そこ", "彼"])
        japanese.names = NameWords(honorifics: ["さん", "ちゃん", "くん", "様", "氏"])
        japanese.people = PeopleWords(everybody: ["全員", "みんな", "皆"], writer: ["私", "自分", "僕"])
        japanese.urgency = UrgencyWords(high: ["高"], low: ["低"])
        japanese.changes = .japanese
        japanese.asOf = .japanese
        return japanese
    }()
}

/// The words of Japanese dates, not folded; read letter by letter, because no blanks part them.
struct JapaneseDateWords: Sendable {
    static let shared = JapaneseDateWords()

    /// A day by name.
    enum Day {
        case fromToday(Int64)
        case fromMonday(Int64)
        /// Friday of this week, at a weekend Sunday.
        case endOfWeek
        /// The last day of this month, or of a later one.
        case endOfMonth(Int64)
        case endOfYear
    }

    /// Longer words before those that they begin with.
    let days: [(word: String, day: Day)] = [
        ("明後日", .fromToday(2)), ("あさって", .fromToday(2)), ("明日", .fromToday(1)), ("あした", .fromToday(1)),
        ("今日", .fromToday(0)), ("本日", .fromToday(0)), ("今夜", .fromToday(0)), ("今週末", .fromMonday(6)),
        ("来週末", .fromMonday(13)), ("今週中", .endOfWeek), ("今週", .endOfWeek), ("再来週", .fromMonday(18)),
        ("来週", .fromMonday(11)), ("週末", .fromMonday(6)), ("来月末", .endOfMonth(1)), ("来月中", .endOfMonth(1)),
        ("来月", .endOfMonth(1)), ("今月末", .endOfMonth(0)), ("今月中", .endOfMonth(0)), ("月末", .endOfMonth(0)),
        ("年末", .endOfYear), ("年内", .endOfYear), ("今年中", .endOfYear),
    ]
    let weeks: [(word: String, step: Int64)] = [("今週", 0), ("来週", 1), ("再来週", 2)]
    /// Monday to Sunday, each before ``weekday``.
    let weekdays = "月火水木金土日"
    let weekday = "曜"
    /// 1 to 10.
    let numbers = "一二三四五六七八九十"
    let year = "年"
    let month = "月"
    /// After a month: its last day.
    let monthEnds = ["末", "中に", "いっぱい"]
    let day = "日"
    let hour = "時"
    let half = "半"
    let minute = "分"
    /// After a unit it makes a duration: 3日間.
    let length = "間"
    let of = "の"
    let hoursLater = "時間後"
    let daysLater = "日後"
    let weeksLater = "週間後"
    let monthsLater = ["か月後", "ヶ月後", "カ月後"]
    let minutesLater = "分後"
    /// After a day or an hour they make it a beginning, an alternative, or not what is meant.
    let unread = ["以降", "以後", "以外", "か", "または", "もしくは", "あるいは", "ではな", "じゃな", "過ぎ", "すぎ", "頃以降", "を除"]
    /// "か" in these is part of another word.
    let readAfterAll = ["から", "かも", "かな"]
    let ago = "前"
    let past = ["一昨日", "おととい", "昨日", "きのう", "昨夜", "昨晩", "先々週", "先週", "先々月", "先月", "昨年", "去年", "前回"]
    let recurring = ["毎週", "毎日", "毎朝", "毎晩", "毎月", "毎年", "隔週"]
    let spanJoints = ["から", "〜", "～", "-", "－", "–", "ー"]
    let until = "まで"
    /// Names of zones, before or after a time.
    let zones: [(name: String, zone: SaidZone)] = [
        ("日本標準時", .hours(9)), ("日本時間", .named("Asia/Tokyo")), ("太平洋時間", .pacific), ("東部時間", .eastern),
        ("協定世界時", .offset(0)), ("世界標準時", .offset(0)), ("ロンドン時間", .named("Europe/London")),
        ("ベルリン時間", .named("Europe/Berlin")), ("パリ時間", .named("Europe/Paris")),
        ("ニューヨーク時間", .eastern), ("米国東部時間", .eastern), ("米国太平洋時間", .pacific),
        ("韓国時間", .hours(9)), ("中国時間", .hours(8)), ("インド時間", .minutes(330)),
        ("北京时间", .hours(8)), ("北京時間", .hours(8)), ("东京时间", .hours(9)), ("纽约时间", .eastern),
        ("伦敦时间", .named("Europe/London")), ("日本时间", .hours(9)), ("韩国时间", .hours(9)),
    ]
    /// Cities before ``zoneEnding``, in brackets behind a time, or before ``at``.
    let cities: [(name: String, zone: String)] = [
        ("東京", "Asia/Tokyo"), ("大阪", "Asia/Tokyo"), ("ニューヨーク", "America/New_York"),
        ("ロサンゼルス", "America/Los_Angeles"), ("サンフランシスコ", "America/Los_Angeles"), ("シアトル", "America/Los_Angeles"),
        ("ロンドン", "Europe/London"), ("パリ", "Europe/Paris"), ("ベルリン", "Europe/Berlin"), ("ローマ", "Europe/Rome"),
        ("シンガポール", "Asia/Singapore"), ("シドニー", "Australia/Sydney"), ("ソウル", "Asia/Seoul"),
        ("北京", "Asia/Shanghai"), ("上海", "Asia/Shanghai"), ("香港", "Asia/Hong_Kong"), ("台北", "Asia/Taipei"),
        ("バンコク", "Asia/Bangkok"), ("ドバイ", "Asia/Dubai"), ("モスクワ", "Europe/Moscow"),
    ]
    let timesOfPlaces = ["時間", "时间"]
    let at = ["で"]
    /// Before the number of a weekday in its month: 第2火曜日.
    let counting = ["第"]
    /// Halves and parts of the day in Chinese.
    let chineseTimes = ["上午", "下午", "晚上", "中午", "早上", "凌晨", "傍晚"]
    /// The ending of such a name; other places than those of ``zones`` are not known.
    let zoneEnding = "時間"
    let unknownZones = ["現地時間", "先方の時間"]
    let noons = ["正午", "お昼", "昼"]
    let mornings = ["午前", "朝"]
    let afternoons = ["午後", "夕方", "夜"]
    /// Letters that may be between a day and a time.
    let joints = "のに、 (（)）「"

    /// Whether a date may begin with a character.
    func mayBegin(_ character: Character) -> Bool {
        Self.firstCharacters.contains(character)
            || character.unicodeScalars.first.map { scalar in
                // Digits, abbreviations of zones, and places in katakana.
                scalar.isASCII && (scalar.properties.numericType != nil || scalar.properties.isUppercase)
                    || (0xFF10...0xFF19).contains(scalar.value) || (0x30A1...0x30FC).contains(scalar.value)
            } ?? false
    }

    private static let firstCharacters = Set(
        (shared.beginnings + shared.zones.map(\.name) + shared.cities.map(\.name) + shared.unknownZones)
            .compactMap(\.first) + shared.weekdays)

    /// How words of dates begin that have no number in digits.
    var beginnings: [String] {
        let named = days.map(\.word) + weeks.map(\.word) + past + recurring + counting
        return named + noons + mornings + afternoons + [weekday] + numbers.map { String($0) }
    }
}
