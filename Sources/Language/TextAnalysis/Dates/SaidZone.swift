import ChatCore
import Foundation

/// The zone of a time, as its words name it.
enum SaidZone: Hashable, Sendable {
    /// The zone of the conversation.
    case own
    /// Seconds east of Greenwich.
    case offset(Int64)
    /// The IANA name of a zone.
    case named(String)

    static let pacific = SaidZone.named("America/Los_Angeles")
    static let mountain = SaidZone.named("America/Denver")
    static let central = SaidZone.named("America/Chicago")
    static let eastern = SaidZone.named("America/New_York")

    static func hours(_ count: Int64) -> SaidZone { .offset(count * 3_600) }  // bounded: constants of this module
    static func minutes(_ count: Int64) -> SaidZone { .offset(count * 60) }  // bounded: constants of this module

    /// Returns an offset of hours and minutes; nil for one that no zone has.
    static func offset(isWest: Bool, hours: Int64, minutes: Int64) -> SaidZone? {
        guard (0...14).contains(hours), [0, 15, 30, 45].contains(minutes) else { return nil }
        let size = hours * 60 + minutes  // bounded: at most 14 hours
        guard size <= (isWest ? 12 : 14) * 60 else { return nil }
        return .minutes(isWest ? -size : size)
    }
}

/// How a language names zones.
struct ZoneWords: Sendable {
    /// Phrases of up to three words.
    var names: [String: SaidZone] = [:]
    /// Words that name a zone only with a capital: "5pm Pacific".
    var capitalNames: [String: SaidZone] = [:]
    /// Names of cities in this language, beside those of ``Zones/cities``.
    var cities: [String: String] = [:]
    /// Words after a place: "Berlin time".
    var tails: Set<String> = []
    /// Words before such a word that are no place: "next time".
    var ordinaryBefore: Set<String> = []
    /// The ending of a place before such a word: "Berliner Zeit".
    var tailEndings: [String] = []
    /// Endings of a word that names a zone: "Moskauzeit".
    var compounds: [String] = []
    /// Words with such an ending that name none.
    var ordinaryCompounds: Set<String> = []
    /// Words before a place: "heure de Paris".
    var leads: Set<String> = []
    var leadJoints: Set<String> = []

    mutating func add(_ other: ZoneWords) {
        names.merge(other.names) { first, _ in first }
        capitalNames.merge(other.capitalNames) { first, _ in first }
        cities.merge(other.cities) { first, _ in first }
        tails.formUnion(other.tails)
        ordinaryBefore.formUnion(other.ordinaryBefore)
        tailEndings += other.tailEndings
        compounds += other.compounds
        ordinaryCompounds.formUnion(other.ordinaryCompounds)
        leads.formUnion(other.leads)
        leadJoints.formUnion(other.leadJoints)
    }
}

/// Names of zones that are the same in all languages.
///
/// Offsets are those of the IANA time zone database (https://www.iana.org/time-zones), where it has the abbreviation.
enum Zones {
    /// Abbreviations with one meaning.
    ///
    /// Standard time is that offset also in summer, because that is what is said.
    static let abbreviations: [String: SaidZone] = [
        "utc": .offset(0), "gmt": .offset(0), "z": .offset(0), "wet": .offset(0), "west": .hours(1), "cet": .hours(1),
        "cest": .hours(2), "mez": .hours(1), "mesz": .hours(2), "eet": .hours(2), "eest": .hours(3), "msk": .hours(3),
        "trt": .hours(3), "sast": .hours(2), "wat": .hours(1), "eat": .hours(3), "pt": .pacific, "pst": .hours(-8),
        "pdt": .hours(-7), "mt": .mountain, "mst": .hours(-7), "mdt": .hours(-6), "ct": .central, "cdt": .hours(-5),
        "et": .eastern,
        "est": .hours(-5), "edt": .hours(-4), "akst": .hours(-9), "akdt": .hours(-8), "hst": .hours(-10),
        "nst": .minutes(-210), "ndt": .minutes(-150), "brt": .hours(-3), "jst": .hours(9),
        "kst": .hours(9), "hkt": .hours(8), "sgt": .hours(8), "myt": .hours(8), "pht": .hours(8), "wib": .hours(7),
        "wita": .hours(8), "wit": .hours(9), "ict": .hours(7), "pkt": .hours(5), "npt": .minutes(345),
        "awst": .hours(8), "acst": .minutes(570), "acdt": .minutes(630), "aest": .hours(10), "aedt": .hours(11),
        "nzst": .hours(12), "nzdt": .hours(13),
    ]

    /// Abbreviations with several meanings, with the beginnings of IANA names of those who use each of them.
    static let ambiguous: [String: [(users: [String], zone: SaidZone)]] = [
        "ist": [
            (["Asia/Kolkata", "Asia/Calcutta", "Asia/Colombo"], .minutes(330)),
            (["Asia/Jerusalem", "Asia/Tel_Aviv"], .hours(2)), (["Europe/Dublin"], .hours(1)),
        ],
        "cst": [
            (["America/Havana"], .hours(-5)), (["America/", "US/", "Canada/"], .hours(-6)),
            (
                ["Asia/Shanghai", "Asia/Taipei", "Asia/Macau", "Asia/Chongqing", "Asia/Harbin", "Asia/Urumqi"],
                .hours(8)
            ),
        ],
        "mst": [(["Asia/Kuala_Lumpur"], .hours(8))],
        "bst": [
            (["Europe/London", "Europe/Jersey", "Europe/Guernsey", "Europe/Isle_of_Man", "Europe/Belfast"], .hours(1)),
            (["Asia/Dhaka"], .hours(6)), (["Pacific/Bougainville"], .hours(11)),
        ],
        "ast": [(["America/"], .hours(-4)), (["Asia/"], .hours(3))], "adt": [(["America/"], .hours(-3))],
        "gst": [(["Asia/Dubai", "Asia/Muscat"], .hours(4)), (["Atlantic/South_Georgia"], .hours(-2))],
        "sst": [(["Pacific/"], .hours(-11)), (["Asia/Singapore"], .hours(8))],
        "amt": [(["America/"], .hours(-4)), (["Asia/Yerevan"], .hours(4))],
        "ect": [(["America/Guayaquil"], .hours(-5))], "cat": [(["Africa/"], .hours(2))],
        "pst": [(["Asia/Manila"], .hours(8))],
    ]

    /// Names that are the same in all languages.
    static let names: [String: SaidZone] = ["aoe": .hours(-12), "anywhere on earth": .hours(-12), "мск": .hours(3)]

    /// Words before "de" and a place, and behind a place, in languages that have no words of dates here.
    static let leads: Set<String> = ["heure", "heures", "hora", "horas", "horario", "ora"]
    static let leadJoints: Set<String> = ["de", "d", "du", "del", "da", "do", "di"]
    static let tails: Set<String> = ["tijd", "tid", "времени", "время"]

    /// Whose clock is meant, where nobody knows who that is.
    static let unknownNames = phraseSet(
        """
        eurer zeit, deiner zeit, ihrer zeit, seiner zeit, eure zeit, deine zeit, ihre zeit, bei euch, bei dir, bei ihnen,
        chez vous, chez toi, chez eux, votre heure, ton heure, leur heure, tu hora, su hora, vuestra hora, your end, their end
        """)

    private static func phraseSet(_ list: String) -> Set<String> {
        Set(list.split { $0 == "," || $0 == "\n" }.map { $0.split(separator: " ").joined(separator: " ") })
    }

    /// Phrases of ``ZoneWords/names`` behind which a place may be said.
    static let localTimes: Set<String> = ["local time", "ortszeit", "lokalzeit", "heure locale", "hora local"]

    /// Names of zones in POSIX, whose summer time is that of the clocks.
    static let posix: [String: SaidZone] = [
        "pst8pdt": .pacific, "mst7mdt": .mountain, "cst6cdt": .central, "est5edt": .eastern,
        "cet-1cest": .named("Europe/Paris"), "gmt0bst": .named("Europe/London"),
    ]

    /// Pairs that mean the time of the clocks: "PST/PDT".
    static let pairs: [String: SaidZone] = [
        "pst/pdt": .pacific, "pdt/pst": .pacific, "mst/mdt": .mountain, "cst/cdt": .central, "cdt/cst": .central,
        "est/edt": .eastern, "edt/est": .eastern, "cet/cest": .named("Europe/Paris"),
        "cest/cet": .named("Europe/Paris"),
        "mez/mesz": .named("Europe/Berlin"), "gmt/bst": .named("Europe/London"), "utc/gmt": .offset(0),
        "gmt/utc": .offset(0),
    ]

    /// Abbreviations that are read in small letters; others are words of some language.
    static let plain: Set<String> = [
        "utc", "gmt", "cet", "cest", "mez", "mesz", "pst", "pdt", "edt", "cdt", "mdt", "jst", "msk", "aest", "aedt",
    ]

    /// Abbreviations that are other words too in small letters, even after "am" or "pm".
    static let otherWords: Set<String> = ["ist", "wet", "west", "eat", "cat", "wit", "art"]

    /// Names of large cities, folded.
    static let cities: [String: String] = [
        "amsterdam": "Europe/Amsterdam", "athens": "Europe/Athens", "atlanta": "America/New_York",
        "auckland": "Pacific/Auckland", "bangalore": "Asia/Kolkata", "bangkok": "Asia/Bangkok",
        "barcelona": "Europe/Madrid", "beijing": "Asia/Shanghai", "berlin": "Europe/Berlin", "bogota": "America/Bogota",
        "boston": "America/New_York", "brussels": "Europe/Brussels", "bucharest": "Europe/Bucharest",
        "budapest": "Europe/Budapest", "buenos aires": "America/Argentina/Buenos_Aires", "cairo": "Africa/Cairo",
        "chicago": "America/Chicago", "copenhagen": "Europe/Copenhagen", "dallas": "America/Chicago",
        "delhi": "Asia/Kolkata", "denver": "America/Denver", "dubai": "Asia/Dubai", "dublin": "Europe/Dublin",
        "frankfurt": "Europe/Berlin", "geneva": "Europe/Zurich", "hamburg": "Europe/Berlin",
        "helsinki": "Europe/Helsinki", "hong kong": "Asia/Hong_Kong", "houston": "America/Chicago",
        "istanbul": "Europe/Istanbul", "jakarta": "Asia/Jakarta", "johannesburg": "Africa/Johannesburg",
        "kolkata": "Asia/Kolkata", "kyiv": "Europe/Kyiv", "lagos": "Africa/Lagos", "lima": "America/Lima",
        "lisbon": "Europe/Lisbon", "london": "Europe/London", "los angeles": "America/Los_Angeles",
        "madrid": "Europe/Madrid", "manila": "Asia/Manila", "melbourne": "Australia/Melbourne",
        "mexico city": "America/Mexico_City", "miami": "America/New_York", "milan": "Europe/Rome",
        "montreal": "America/Toronto", "moscow": "Europe/Moscow", "mumbai": "Asia/Kolkata", "munich": "Europe/Berlin",
        "nairobi": "Africa/Nairobi", "new york": "America/New_York", "oslo": "Europe/Oslo", "paris": "Europe/Paris",
        "prague": "Europe/Prague", "riga": "Europe/Riga", "rome": "Europe/Rome", "san francisco": "America/Los_Angeles",
        "sao paulo": "America/Sao_Paulo", "seattle": "America/Los_Angeles", "seoul": "Asia/Seoul",
        "shanghai": "Asia/Shanghai", "singapore": "Asia/Singapore", "sofia": "Europe/Sofia",
        "stockholm": "Europe/Stockholm", "sydney": "Australia/Sydney", "taipei": "Asia/Taipei",
        "tallinn": "Europe/Tallinn", "tel aviv": "Asia/Jerusalem", "tokyo": "Asia/Tokyo", "toronto": "America/Toronto",
        "vancouver": "America/Vancouver", "vienna": "Europe/Vienna", "vilnius": "Europe/Vilnius",
        "warsaw": "Europe/Warsaw", "zurich": "Europe/Zurich",
    ]

    private static let regions: Set<String> = [
        "africa", "america", "antarctica", "asia", "atlantic", "australia", "europe", "indian", "pacific", "etc",
    ]

    /// Returns the meaning of an abbreviation in a conversation of a zone; nil in `zone` if it cannot be told.
    static func abbreviation(_ word: String, in own: String) -> (known: Bool, zone: SaidZone?) {
        let meanings = ambiguous[word] ?? []
        if let local = meanings.first(where: { $0.users.contains(where: own.hasPrefix) }) { return (true, local.zone) }
        if let zone = abbreviations[word] { return (true, zone) }
        return (!meanings.isEmpty, nil)
    }

    /// Whether a text looks like an IANA name, and the zone if there is one.
    static func iana(_ name: String) -> (isName: Bool, zone: SaidZone?) {
        guard let region = name.split(separator: "/").first, region.count < name.count,
            regions.contains(region.lowercased())
        else { return (false, nil) }
        return (true, TimeZone(named: name) == nil ? nil : .named(name))
    }
}
