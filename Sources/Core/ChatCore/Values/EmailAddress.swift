/// Mail addresses, in the one form in which they are compared.
public enum EmailAddress {
    /// Returns an address as it is compared: without spaces around it, in small letters; nil for none.
    ///
    /// Only letters of ASCII count: other letters can look the same, and some become ASCII as small letters. Two forms
    /// that a mail service may deliver alike, such as those with and without `+tag`, stay different.
    ///
    /// - Parameter text: The address.
    /// - Returns: The form in which it is compared.
    public static func normalized(_ text: String) -> String? {
        let trimmed = text.trimmingWhitespace()
        let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), trimmed.utf8.count <= 254,
            trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"",:;<>()[]\"#.utf8.contains($0) }),
            parts[1].contains("."), parts[1].first != ".", parts[1].last != "."
        else { return nil }
        return trimmed.lowercased()
    }
}
