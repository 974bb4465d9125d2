import CArchive
package import ChatCore

/// The pixels of a PNG (ISO/IEC 15948), in RGB on a white ground.
///
/// Only pixels leave this type: texts, times and places in the file are never read.
package struct PNGPixels {
    /// The most pixels: in RGB they fit into a file that the process may write (``ProcessLimits``).
    package static let pixelLimit = 16 << 20
    private static let signatureByteCount = 8

    package let width: Int
    package let height: Int
    /// Three bytes for each pixel, from the top left corner, row by row.
    package private(set) var rgb: [UInt8]

    private let depth: Int
    private let colour: Colour
    private let isInterlaced: Bool
    private var palette: [UInt8] = []
    /// The opacity of the palette's colours, or the one colour that is transparent.
    private var transparency: [UInt8] = []

    private enum Colour: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgbAlpha = 6

        var channelCount: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgbAlpha: 4
            }
        }

        var depths: [UInt8] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .greyAlpha, .rgbAlpha: [8, 16]
            }
        }
    }

    /// Every n-th pixel of every m-th row, which one pass of an interlaced picture has.
    private struct Pass {
        let x: Int, y: Int, stepX: Int, stepY: Int

        static let whole = [Pass(x: 0, y: 0, stepX: 1, stepY: 1)]
        /// Adam7.
        static let interlaced = [
            Pass(x: 0, y: 0, stepX: 8, stepY: 8), Pass(x: 4, y: 0, stepX: 8, stepY: 8),
            Pass(x: 0, y: 4, stepX: 4, stepY: 8), Pass(x: 2, y: 0, stepX: 4, stepY: 4),
            Pass(x: 0, y: 2, stepX: 2, stepY: 4), Pass(x: 1, y: 0, stepX: 2, stepY: 2),
            Pass(x: 0, y: 1, stepX: 1, stepY: 2),
        ]
    }

    /// Reads a file that begins with the signature of a PNG.
    package init(_ file: [UInt8]) throws(PictureError) {
        var chunks = Chunks(file: file, place: Self.signatureByteCount)
        guard let head = try chunks.next(), head.name == "IHDR", head.content.count == 13 else { throw .unreadable }
        let bytes = Array(head.content)
        guard let width = Self.size(bytes[0..<4]), let height = Self.size(bytes[4..<8]),
            let colour = Colour(rawValue: bytes[9]), colour.depths.contains(bytes[8]),
            bytes[10] == 0, bytes[11] == 0, bytes[12] < 2
        else { throw .unreadable }
        // Both are below 65,536, so that the product does not overflow.
        guard width * height <= Self.pixelLimit else { throw .tooLarge }
        (self.width, self.height, self.colour) = (width, height, colour)
        (depth, isInterlaced) = (Int(bytes[8]), bytes[12] == 1)
        rgb = []
        var packed: [UInt8] = []
        while let chunk = try chunks.next(), chunk.name != "IEND" {
            switch chunk.name {
            case "PLTE": palette = Array(chunk.content)
            case "tRNS": transparency = Array(chunk.content)
            case "IDAT": packed += chunk.content
            default: break
            }
        }
        guard colour != .palette || (!palette.isEmpty && palette.count.isMultiple(of: 3)) else { throw .unreadable }
        try draw(packed)
    }

    /// Reads a width or height; nil for none that is read.
    private static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
        let value = bytes.reduce(0) { $0 << 8 | Int($1) }
        return (1...0xFFFF).contains(value) ? value : nil
    }

    private var passes: [Pass] { isInterlaced ? Pass.interlaced : Pass.whole }

    private func size(of pass: Pass) -> (columns: Int, rows: Int) {
        (
            max(0, (width - pass.x + pass.stepX - 1) / pass.stepX),
            max(0, (height - pass.y + pass.stepY - 1) / pass.stepY)
        )
    }

    private func rowByteCount(_ columns: Int) -> Int { (columns * colour.channelCount * depth + 7) / 8 }

    private mutating func draw(_ packed: [UInt8]) throws(PictureError) {
        let byteCount = passes.reduce(0) { sum, pass in
            let (columns, rows) = size(of: pass)
            return columns == 0 ? sum : sum + rows * (1 + rowByteCount(columns))
        }
        guard var data = Self.unpacked(packed, byteCount: byteCount) else { throw .unreadable }
        rgb = [UInt8](repeating: 0xFF, count: 3 * width * height)
        var start = 0
        for pass in passes {
            let (columns, rows) = size(of: pass)
            guard columns > 0 else { continue }
            let rowByteCount = rowByteCount(columns)
            var above: Int?
            for row in 0..<rows {
                guard unfilter(&data, at: start, byteCount: rowByteCount, above: above) else { throw .unreadable }
                let target = (pass.y + row * pass.stepY) * width + pass.x
                try drawRow(data[(start + 1)...(start + rowByteCount)], columns, at: target, step: pass.stepX)
                above = start
                start += 1 + rowByteCount
            }
        }
    }

    /// Undoes the filter of the row at `start`, whose first byte names it; `above` is the start of the row above.
    private func unfilter(_ data: inout [UInt8], at start: Int, byteCount: Int, above: Int?) -> Bool {
        let kind = data[start]
        guard kind < 5 else { return false }
        guard kind > 0 else { return true }
        let pixel = max(1, colour.channelCount * depth / 8)
        for place in 1...byteCount {
            let left = place > pixel ? Int(data[start + place - pixel]) : 0
            let up = above.map { Int(data[$0 + place]) } ?? 0
            let corner = place > pixel ? above.map { Int(data[$0 + place - pixel]) } ?? 0 : 0
            let predicted =
                switch kind {
                case 1: left
                case 2: up
                case 3: (left + up) / 2
                default: Self.paeth(left, up, corner)
                }
            data[start + place] &+= UInt8(truncatingIfNeeded: predicted)
        }
        return true
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let estimate = left + up - corner
        func distance(to value: Int) -> UInt { (estimate - value).magnitude }
        let (toLeft, toUp, toCorner) = (distance(to: left), distance(to: up), distance(to: corner))
        if toLeft <= toUp, toLeft <= toCorner { return left }
        return toUp <= toCorner ? up : corner
    }

    private mutating func drawRow(
        _ row: ArraySlice<UInt8>, _ columns: Int, at target: Int, step: Int
    ) throws(PictureError) {
        for column in 0..<columns {
            guard let (red, green, blue, opacity) = pixel(column, in: row) else { throw .unreadable }
            let place = 3 * (target + column * step)
            rgb[place] = Self.onWhite(red, opacity)
            rgb[place + 1] = Self.onWhite(green, opacity)
            rgb[place + 2] = Self.onWhite(blue, opacity)
        }
    }

    private static func onWhite(_ value: UInt8, _ opacity: UInt8) -> UInt8 {
        guard opacity < 0xFF else { return value }
        let mixed = Int(value) * Int(opacity) + 0xFF * (0xFF - Int(opacity))
        return UInt8(truncatingIfNeeded: (mixed + 0x7F) / 0xFF)
    }

    /// Returns a pixel as red, green, blue and opacity; nil if the palette has no such colour.
    private func pixel(_ column: Int, in row: ArraySlice<UInt8>) -> (UInt8, UInt8, UInt8, UInt8)? {
        let first = column * colour.channelCount
        let sample = { (channel: Int) in value(first + channel, in: row) }
        switch colour {
        case .palette:
            let index = sample(0)
            guard 3 * index + 2 < palette.count else { return nil }
            let opacity = index < transparency.count ? transparency[index] : 0xFF
            return (palette[3 * index], palette[3 * index + 1], palette[3 * index + 2], opacity)
        case .grey:
            let grey = scaled(sample(0))
            return (grey, grey, grey, isTransparent([sample(0)]) ? 0 : 0xFF)
        case .greyAlpha:
            let grey = scaled(sample(0))
            return (grey, grey, grey, scaled(sample(1)))
        case .rgb:
            let opacity: UInt8 = !transparency.isEmpty && isTransparent([sample(0), sample(1), sample(2)]) ? 0 : 0xFF
            return (scaled(sample(0)), scaled(sample(1)), scaled(sample(2)), opacity)
        case .rgbAlpha: return (scaled(sample(0)), scaled(sample(1)), scaled(sample(2)), scaled(sample(3)))
        }
    }

    private func isTransparent(_ samples: [Int]) -> Bool {
        guard transparency.count == 2 * samples.count else { return false }
        return samples.indices.allSatisfy { place in
            Int(transparency[2 * place]) << 8 | Int(transparency[2 * place + 1]) == samples[place]
        }
    }

    /// Returns a sample of a row.
    private func value(_ place: Int, in row: ArraySlice<UInt8>) -> Int {
        switch depth {
        case 8: return Int(row[row.startIndex + place])
        case 16:
            let start = row.startIndex + 2 * place
            return Int(row[start]) << 8 | Int(row[start + 1])
        default:
            let bit = place * depth
            return Int(row[row.startIndex + bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
        }
    }

    /// Returns a sample as a byte.
    private func scaled(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: depth == 16 ? value >> 8 : value * 0xFF / (1 << depth - 1))
    }

    /// Returns the bytes of the rows; nil if there are fewer.
    private static func unpacked(_ packed: [UInt8], byteCount: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = packed
        var output = [UInt8](repeating: 0, count: byteCount)
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                let result = inflate(&stream, Z_FINISH)
                // There may be more than the rows; it is not read.
                return (result == Z_STREAM_END || result == Z_BUF_ERROR) && stream.avail_out == 0
            }
        }
        return isWhole ? output : nil
    }
}

/// The parts of a PNG, one after another.
private struct Chunks {
    let file: [UInt8]
    var place: Int

    /// Returns the next part; nil at the end.
    mutating func next() throws(PictureError) -> (name: String, content: ArraySlice<UInt8>)? {
        guard file.count - place >= 12 else {
            guard file.count == place else { throw .unreadable }
            return nil
        }
        let count = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        guard count <= file.count - place - 12 else { throw .unreadable }
        let start = place + 8
        let name = String(decoding: file[place + 4..<start], as: UTF8.self)
        place = start + count + 4
        return (name, file[start..<start + count])
    }
}
