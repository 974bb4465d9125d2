/// A tar in its oldest form, written field by field.
enum HandmadeTar {
    /// Returns one member: header and data, filled up to 512 bytes.
    static func member(_ name: [UInt8], _ data: String = "", type: Character = "0", link: String = "") -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func set(_ field: [UInt8], at offset: Int) {
            header.replaceSubrange(offset..<offset + field.count, with: field)
        }
        set(name, at: 0)
        set(octal(0o644, 7), at: 100)
        set(octal(0, 7), at: 108)
        set(octal(0, 7), at: 116)
        set(octal(data.utf8.count, 11), at: 124)
        set(octal(0, 11), at: 136)
        set(Array(repeating: 0x20, count: 8), at: 148)
        set(Array(String(type).utf8), at: 156)
        set(Array(link.utf8), at: 157)
        set(Array("ustar\u{0}00".utf8), at: 257)
        set(octal(header.reduce(0) { $0 + Int($1) }, 6) + [0], at: 148)
        let padding = (512 - data.utf8.count % 512) % 512
        return header + Array(data.utf8) + [UInt8](repeating: 0, count: padding)
    }

    /// What stands at a tar's end.
    static let end = [UInt8](repeating: 0, count: 1_024)

    private static func octal(_ value: Int, _ width: Int) -> [UInt8] {
        let digits = String(value, radix: 8)
        return Array((String(repeating: "0", count: width - digits.count) + digits).utf8)
    }
}
