public import Foundation

extension TimeZone {
    /// Returns the zone of an IANA name from outside, such as "Europe/Berlin"; nil for anything else.
    ///
    /// Foundation reads a name up to its first NUL, and uses it as part of a path. So only names of 1 to 64 letters,
    /// digits and `+-_/:` are looked up. What Foundation knows besides IANA's names is refused, because browsers do not
    /// know it: distances such as "GMT+5", "SystemV/…", and abbreviations such as "PST".
    public init?(named name: String) {
        let isName =
            (1...64).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789+-_/:".unicodeScalars.contains(scalar))
            }
        let isForeign =
            name.hasPrefix("SystemV/") || name == "Factory"
            || (TimeZone.abbreviationDictionary[name] != nil && !Self.shortNames.contains(name))
            || (["GMT", "UTC"].contains(name.prefix(3)) && name.contains { "123456789:".contains($0) })
        guard isName, !isForeign else { return nil }
        self.init(identifier: name)
    }

    /// The abbreviations that are IANA's names, too.
    private static let shortNames: Set = ["CET", "EET", "EST", "GMT", "HST", "MET", "MST", "UTC", "WET"]
}
