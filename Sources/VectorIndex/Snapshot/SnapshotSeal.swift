package import IndexCore

/// Makes a changed file look like one that was written so: for tests of what checksums cannot stop.
package enum SnapshotSeal {
    /// Where each section lies, by name; the header must be sound.
    package static func sections(of file: [UInt8]) throws(SnapshotError) -> [(name: String, range: Range<Int>)] {
        let header = try header(of: file)
        return SnapshotSection.allCases.map { section in
            let (offset, byteCount) = header[placeOf: section]
            return (section.name, Int(offset)..<Int(offset + byteCount))
        }
    }

    /// Renews the checksums of the header and of the sections that it speaks of.
    package static func renew(_ file: inout [UInt8]) {
        guard var header = try? header(of: file, isChecked: false) else { return }
        for section in SnapshotSection.allCases where section.hasChecksum {
            let (offset, byteCount) = header[placeOf: section]
            guard byteCount <= UInt64(file.count), offset <= UInt64(file.count) - byteCount else { continue }
            header[checksumOf: section] = file.withUnsafeBytes { bytes in
                checksum(of: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + byteCount)]))
            }
        }
        header.encoded().withUnsafeBytes { bytes in file.replaceSubrange(0..<bytes.count, with: bytes) }
    }

    private static func header(of file: [UInt8], isChecked: Bool = true) throws(SnapshotError) -> SnapshotHeader {
        guard file.count >= SnapshotHeader.byteCount else {
            throw .truncated(expected: SnapshotHeader.byteCount, got: file.count)
        }
        let words = file.withUnsafeBytes { bytes in bytes.baseAddress.map { HeaderWords(at: $0) } ?? HeaderWords() }
        return isChecked ? try SnapshotHeader(checking: words) : SnapshotHeader(words: words)
    }
}
