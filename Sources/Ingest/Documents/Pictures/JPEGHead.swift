package import ChatCore

/// What the head of a JPEG (ISO/IEC 10918-1) says that one must know to draw it; the pixels are not read here.
package struct JPEGHead: Equatable {
    /// The most pixels: those of a camera.
    package static let pixelLimit = 50_000_000

    package private(set) var width = 0
    package private(set) var height = 0
    /// 1: grey, 3: colours, 4: printing colours.
    package private(set) var componentCount = 0
    /// How the picture must be turned or mirrored, 1...8 (the field `Orientation` of Exif).
    package private(set) var orientation = 1
    /// Whether Adobe's programs wrote it, which store printing colours inverted.
    package private(set) var isAdobe = false

    /// Reads a file that begins with the mark of a JPEG.
    package init(_ file: [UInt8]) throws(PictureError) {
        var place = 2
        while true {
            while place < file.count, file[place] == 0xFF { place += 1 }
            guard place < file.count, place >= 3, file[place - 1] == 0xFF else { throw .unreadable }
            let mark = file[place]
            place += 1
            // Marks without content.
            if mark == 0x01 || (0xD0...0xD8).contains(mark) { continue }
            // The pixels begin, or the picture ends.
            if mark == 0xDA || mark == 0xD9 { break }
            guard file.count - place >= 2 else { throw .unreadable }
            let count = Int(file[place]) << 8 | Int(file[place + 1])
            guard count >= 2, count <= file.count - place else { throw .unreadable }
            try take(mark, file[(place + 2)..<(place + count)])
            place += count
        }
        guard width > 0, height > 0, [1, 3, 4].contains(componentCount) else { throw .unreadable }
        // Both are below 65,536, so that the product does not overflow.
        guard width * height <= Self.pixelLimit else { throw .tooLarge }
    }

    private mutating func take(_ mark: UInt8, _ content: ArraySlice<UInt8>) throws(PictureError) {
        let bytes = Array(content.prefix(6))
        switch mark {
        case 0xC4, 0xC8, 0xCC: break
        case 0xC0...0xCF:
            // Sizes that are only known after the pixels, and samples of 12 bits, are not read.
            guard bytes.count == 6, bytes[0] == 8, componentCount == 0 else { throw .unreadable }
            (height, width) = (Int(bytes[1]) << 8 | Int(bytes[2]), Int(bytes[3]) << 8 | Int(bytes[4]))
            componentCount = Int(bytes[5])
        case 0xE1 where content.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]):
            orientation = Self.orientation(inExif: Array(content.dropFirst(6))) ?? orientation
        case 0xEE where content.starts(with: "Adobe".utf8): isAdobe = true
        default: break
        }
    }

    /// Returns the orientation of the first directory; nil if there is none.
    private static func orientation(inExif exif: [UInt8]) -> Int? {
        let isLittle = exif.starts(with: [0x49, 0x49, 0x2A, 0])
        guard isLittle || exif.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
        func number(at place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= exif.count - count else { return nil }
            let bytes = exif[place..<place + count]
            return (isLittle ? bytes.reversed() : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let start = number(at: 4, 4), let count = number(at: start, 2) else { return nil }
        for entry in 0..<count {
            let place = start + 2 + 12 * entry
            guard let tag = number(at: place, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            return number(at: place + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil }
        }
        return nil
    }
}
