import ChatCore
import Foundation

/// Places whose clocks are known: large cities, countries with one zone, and the places of the IANA time zone database
/// (https://www.iana.org/time-zones).
enum ZonePlaces {
    /// The IANA name of each place's zone, by its folded name.
    static let zones: [String: String] = {
        var zones = cities.merging(Zones.cities) { first, _ in first }
        zones.merge(countries) { first, _ in first }
        for identifier in TimeZone.knownTimeZoneIdentifiers {
            let parts = identifier.split(separator: "/")
            guard parts.count > 1, let last = parts.last else { continue }
            let words = TextAnalyzer.tokens(of: String(last), language: .other).map(\.word)
            let name = words.joined(separator: " ")
            if !ordinary.contains(name), name.utf8.count > 3, zones[name] == nil { zones[name] = identifier }
        }
        for name in wide { zones[name] = nil }
        return zones
    }()

    /// First words of the names of several words.
    static let phraseBeginnings = Set(
        (Array(zones.keys) + Array(wide)).lazy.filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) })

    /// Countries and regions with several zones, and names that several places have.
    static let wide = wordSet(
        """
        usa us america canada australia brazil brasil brasilien bresil russia russland russie rusia indonesia indonesien
        mexiko amerika kanada australien australie europe europa asia asien springfield
        """
    ).union([
        "united states", "the states", "etats unis", "estados unidos", "vereinigten staaten", "san juan", "cordoba",
    ])

    /// Names of the database that are more often something else.
    private static let ordinary: Set<String> = [
        "wake", "easter", "midway", "troll", "center", "knox", "davis", "casey", "palmer", "petersburg", "chatham",
        "nome", "jersey", "san juan", "cordoba", "eastern", "central", "mountain", "pacific", "general", "universal",
        "zulu", "greenwich", "west", "east", "south", "north", "michigan", "indiana", "vincennes", "marengo",
        "monticello",
        "continental", "noronha", "acre", "merida", "johnston", "yukon", "canary",
    ]

    /// Cities that the database does not name.
    private static let cities: [String: String] = table([
        "Europe/Berlin": """
        koln cologne dusseldorf stuttgart leipzig dresden bremen hannover nurnberg bonn mannheim karlsruhe kiel lubeck
        rostock potsdam freiburg
        """,
        "Europe/Vienna": "graz linz salzburg innsbruck", "Europe/Zurich": "basel bern lausanne luzern",
        "Europe/Paris": "lyon marseille toulouse nantes strasbourg bordeaux lille rennes grenoble montpellier",
        "Europe/Madrid": "sevilla seville bilbao malaga zaragoza",
        "Europe/Lisbon": "porto",
        "Europe/Rome": "turin torino napoli naples bologna florence firenze venice venezia mailand",
        "Europe/London": "manchester leeds edinburgh glasgow bristol liverpool cardiff sheffield",
        "Europe/Amsterdam": "rotterdam utrecht eindhoven", "Europe/Brussels": "antwerp ghent",
        "Europe/Warsaw": "krakow wroclaw gdansk poznan", "Europe/Copenhagen": "aarhus kopenhagen copenhague",
        "Europe/Stockholm": "gothenburg goteborg malmo", "Europe/Oslo": "bergen",
        "America/New_York": "philadelphia washington baltimore pittsburgh orlando charlotte cleveland",
        "America/Chicago": "austin minneapolis milwaukee memphis nashville texas",
        "America/Los_Angeles": "portland oakland sacramento california kalifornien californie",
        "America/Toronto": "ottawa quebec", "America/Edmonton": "calgary",
        "America/Sao_Paulo": "brasilia", "America/Mexico_City": "guadalajara",
        "Asia/Tokyo": "osaka kyoto nagoya fukuoka sapporo yokohama",
        "Asia/Shanghai": "shenzhen guangzhou hangzhou chengdu",
        "Asia/Kolkata": "hyderabad chennai pune bengaluru", "Asia/Ho_Chi_Minh": "hanoi",
        "Australia/Sydney": "canberra", "Asia/Seoul": "busan", "Africa/Johannesburg": "pretoria",
    ]).merging([
        "rio de janeiro": "America/Sao_Paulo", "las vegas": "America/Los_Angeles", "san diego": "America/Los_Angeles",
        "silicon valley": "America/Los_Angeles", "salt lake city": "America/Denver", "cape town": "Africa/Johannesburg",
        "st petersburg": "Europe/Moscow", "den haag": "Europe/Amsterdam", "the hague": "Europe/Amsterdam",
        "new delhi": "Asia/Kolkata", "washington dc": "America/New_York", "washington d c": "America/New_York",
        "nyc": "America/New_York", "new york city": "America/New_York", "abu dhabi": "Asia/Dubai",
        "tel aviv": "Asia/Jerusalem", "a coruna": "Europe/Madrid",
    ]) { first, _ in first }

    /// Countries with one zone.
    private static let countries: [String: String] = table([
        "Asia/Tokyo": "japan japon", "Europe/Berlin": "germany deutschland allemagne alemania",
        "Europe/Vienna": "austria osterreich autriche", "Europe/Zurich": "switzerland schweiz suisse suiza",
        "Europe/Paris": "france frankreich francia", "Europe/Madrid": "espana",
        "Europe/Rome": "italy italien italie italia",
        "Europe/London": """
        uk england britain scotland wales grossbritannien angleterre inglaterra schottland
        """,
        "Europe/Dublin": "ireland irland irlande irlanda",
        "Europe/Amsterdam": "netherlands holland niederlande niederlanden",
        "Europe/Brussels": "belgium belgien belgique belgica", "Europe/Copenhagen": "denmark danemark dinamarca",
        "Europe/Oslo": "norway norwegen norvege noruega", "Europe/Stockholm": "sweden schweden suede suecia",
        "Europe/Helsinki": "finland finnland finlande finlandia", "Europe/Warsaw": "poland polen pologne polonia",
        "Europe/Athens": "greece griechenland grece grecia", "Europe/Istanbul": "turkey turkei turquie turquia",
        "Asia/Jerusalem": "israel", "Africa/Cairo": "egypt agypten egypte egipto", "Africa/Lagos": "nigeria",
        "Africa/Nairobi": "kenya kenia", "Asia/Kolkata": "india indien inde", "Asia/Karachi": "pakistan",
        "Asia/Bangkok": "thailand thailande tailandia", "Asia/Ho_Chi_Minh": "vietnam",
        "Asia/Singapore": "singapur singapour", "Asia/Manila": "philippines philippinen filipinas",
        "Asia/Taipei": "taiwan", "Asia/Shanghai": "china chine", "Asia/Seoul": "korea coree corea sudkorea",
        "America/Bogota": "colombia kolumbien colombie", "America/Lima": "peru",
        "America/Argentina/Buenos_Aires": "argentina argentinien argentine", "America/Caracas": "venezuela",
    ]).merging([
        "united kingdom": "Europe/London", "great britain": "Europe/London", "royaume uni": "Europe/London",
        "reino unido": "Europe/London", "south africa": "Africa/Johannesburg", "south korea": "Asia/Seoul",
        "czech republic": "Europe/Prague", "spain": "Europe/Madrid", "spanien": "Europe/Madrid",
        "espagne": "Europe/Madrid",
    ]) { first, _ in first }

    private static func table(_ names: [String: String]) -> [String: String] {
        var table: [String: String] = [:]
        for (zone, names) in names {
            for name in wordSet(names) { table[name] = zone }
        }
        return table
    }

    /// Words of rooms and streets, in front of or behind a name: "Room 4", "Tokyo Room".
    static let facilities = wordSet(
        """
        room rooms hall building office floor lobby studio lab kitchen cafe street road square avenue lane park house
        church school station terminal gate hangar tower wing suite booth stand theatre theater library conference meeting
        raum saal halle gebaude buro stock etage kuche haus platz strasse zimmer
        salle batiment bureau etage rue place gare
        sala edificio oficina calle plaza piso
        """)

    /// Words with a capital behind "in" that are no place on a map.
    static let ordinaryNames = wordSet(
        """
        english german french spanish japanese italian portuguese dutch russian chinese korean
        slack zoom teams meet discord jira confluence notion github gitlab figma outlook google webex skype whatsapp signal
        telegram excel miro trello asana linear person pdf
        """
    )
}
