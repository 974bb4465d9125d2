import Foundation

/// What becomes of each character before a text is split into pieces: nothing, other characters, or itself.
///
/// Each character is looked up by itself, so a letter and a combining mark after it are not composed.
struct CharacterMap: Sendable {
    private static let pageBits: UInt32 = 8
    private static let pageSize = 1 << 8

    /// For each block of 256 characters the place of its page in ``entries``; page 0 is that of blocks without an entry.
    private let pages: [UInt16]
    /// For each character of a page the place of its replacement in ``ends``, from 1; 0 for none.
    private let entries: [UInt16]
    /// The end of each replacement in ``replacements``.
    private let ends: [Int32]
    private let replacements: [UInt8]

    /// Reads entries: a character as u32, a count as u8, so many characters as u32; ascending.
    ///
    /// - Returns: nil when they are not `count`, do not fill the bytes, do not ascend, or hold what is no character.
    init?(entries bytes: UnsafeRawBufferPointer, count: Int) {
        guard count < UInt16.max else { return nil }
        var reader = ByteReader(bytes)
        var (pages, entries) = (Array(repeating: UInt16(0), count: 0x1100), Array(repeating: UInt16(0), count: 256))
        var (ends, replacements): ([Int32], [UInt8]) = ([0], [])
        var last: UInt32?
        for number in 0..<count {
            guard let value = reader.number(UInt32.self), Unicode.Scalar(value) != nil,
                last.map({ $0 < value }) ?? true,
                let length = reader.number(UInt8.self), let characters = reader.numbers(Int(length), UInt32.self)
            else { return nil }
            for character in characters {
                guard let scalar = Unicode.Scalar(character) else { return nil }
                replacements.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
            ends.append(Int32(replacements.count))
            let block = Int(value >> Self.pageBits)
            if pages[block] == 0 {
                pages[block] = UInt16(entries.count / Self.pageSize)
                entries.append(contentsOf: repeatElement(0, count: Self.pageSize))
            }
            entries[Int(pages[block]) * Self.pageSize + Int(value) % Self.pageSize] = UInt16(number + 1)
            last = value
        }
        guard reader.position == bytes.count else { return nil }
        (self.pages, self.entries, self.ends, self.replacements) = (pages, entries, ends, replacements)
    }

    /// Returns the UTF-8 bytes that replace a character, possibly none; nil when it stays.
    func replacement(of scalar: UInt32) -> ArraySlice<UInt8>? {
        let page = Int(pages[Int(scalar >> Self.pageBits)])
        let number = Int(entries[page * Self.pageSize + Int(scalar) % Self.pageSize])
        guard number > 0 else { return nil }
        return replacements[Int(ends[number - 1])..<Int(ends[number])]
    }
}
