/// A short hash that tells one text from another, for records of evaluation runs.
///
/// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): stable on every machine, and no guard against
/// somebody who looks for two texts with the same hash.
enum Fingerprint {
    /// Returns the hash of the UTF-8 bytes of `text` as 16 hexadecimal digits.
    static func of(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
