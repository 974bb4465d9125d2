public import Foundation

extension TimeZone {
    /// Returns the zone of an IANA name from outside, such as "Europe/Berlin"; nil for anything else.
    ///
    /// Foundation reads a name up to its first NUL, and uses it as part of a path. So only names of 1 to 64 letters,
    /// digits and `+-_/:` are looked up.
    public init?(named name: String) {
        let isName =
            (1...64).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789+-_/:".unicodeScalars.contains(scalar))
            }
        guard isName else { return nil }
        self.init(identifier: name)
    }
}
