/// Numbers for ids: the same in every process and on every machine, for they are kept in files.
enum StableHash {
    /// Returns the FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/) of a text's UTF-8.
    static func number(of text: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int64(bitPattern: hash)
    }
}
