/// A zip whose every field can lie.
package struct HandmadeZip {
    /// A file in it.
    package struct Member {
        /// The path as it stands there.
        package var name: [UInt8]
        /// The bytes as they stand there.
        package var data: [UInt8] = []
        /// How they are said to be compressed.
        package var method = 0
        /// Its flags.
        package var flags = 0
        /// The file's mode under Unix.
        package var mode = 0o100644
        /// A checksum that is not the bytes' own.
        package var checksum: UInt32?
        /// A size that is not the bytes' own.
        package var byteCount: Int?

        /// Makes a stored file.
        package init(_ name: String, _ data: String = "") {
            self.name = Array(name.utf8)
            self.data = Array(data.utf8)
        }
    }

    /// The files in it.
    package var members: [Member]

    /// Makes a zip of files.
    package init(members: [Member]) {
        self.members = members
    }

    /// The bytes of the file, its directory at the end.
    package func bytes() -> [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for member in members {
            let offset = file.count
            file += numbers([(0x0403_4B50, 4)]) + common(member) + numbers([(member.name.count, 2), (0, 2)])
            file += member.name + member.data
            directory += numbers([(0x0201_4B50, 4), (3 << 8 | 20, 2)]) + common(member)
            directory += numbers([(member.name.count, 2), (0, 2), (0, 2), (0, 2), (0, 2)])
            directory += numbers([(member.mode << 16, 4), (offset, 4)]) + member.name
        }
        let count = min(members.count, 0xFFFF)
        let end = numbers([
            (0x0605_4B50, 4), (0, 4), (count, 2), (count, 2), (directory.count, 4), (file.count, 4), (0, 2),
        ])
        return file + directory + end
    }

    /// The fields that both headers have.
    private func common(_ member: Member) -> [UInt8] {
        let checksum = member.checksum ?? Self.checksum(of: member.data)
        return numbers([(20, 2), (member.flags, 2), (member.method, 2), (0, 4), (Int(checksum), 4)])
            + numbers([(member.data.count, 4), (member.byteCount ?? member.data.count, 4)])
    }

    private func numbers(_ fields: [(value: Int, byteCount: Int)]) -> [UInt8] {
        fields.flatMap { field in
            (0..<field.byteCount).map { UInt8(truncatingIfNeeded: field.value >> (8 * $0)) }
        }
    }

    /// CRC-32 as zip has it.
    package static func checksum(of bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
