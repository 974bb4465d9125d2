package import ChatCore
package import Foundation
import Subprocess
import SystemPackage

/// Makes the small square of a picture in this process: for the process that ``PictureProcess`` starts.
///
/// The picture becomes the only thing on a page of a PDF, which poppler's `pdftoppm` draws. So a system library decodes,
/// scales and encodes it, and only pixels remain: no place, no camera, no bytes behind the picture.
package enum PictureSquare {
    /// The program that draws pages.
    package static let program = "pdftoppm"

    /// Returns a square JPEG of the middle of a picture.
    ///
    /// - Parameters:
    ///   - file: A PNG or a JPEG. Other files are written beside it.
    ///   - side: The width and height, in pixels.
    /// - Returns: The bytes.
    /// - Throws: ``PictureError``.
    package static func make(of file: URL, side: Int = Picture.side) async throws -> [UInt8] {
        guard let bytes = try? Data(contentsOf: file) else { throw PictureError.unreadable }
        guard bytes.count <= Picture.fileByteLimit else { throw PictureError.tooLarge }
        let (page, square) = (file.appendingPathExtension("pdf"), file.appendingPathExtension("square"))
        try Data(PicturePage(Array(bytes), side: side).pdf).write(to: page)
        let result = try await run(
            .name(program),
            arguments: [
                "-r", "72", "-jpeg", "-jpegopt", "quality=82,optimize=y", "-singlefile", page.path, square.path,
            ], output: .discarded)
        guard result.terminationStatus.isSuccess,
            let drawn = try? Data(contentsOf: square.appendingPathExtension("jpg")), !drawn.isEmpty
        else { throw PictureError.unreadable }
        return [UInt8](drawn)
    }
}

/// A page of a PDF (ISO 32000-1) with nothing but a picture on it, whose middle fills the page.
package struct PicturePage {
    /// The document.
    package let pdf: [UInt8]

    /// - Parameters:
    ///   - file: A PNG or a JPEG.
    ///   - side: The width and height of the page, in points.
    /// - Throws: ``PictureError``.
    package init(_ file: [UInt8], side: Int) throws(PictureError) {
        switch MediaType(beginning: file) {
        case .png:
            let picture = try PNGPixels(file)
            let image = "/Width \(picture.width) /Height \(picture.height) /ColorSpace /DeviceRGB"
            let matrix = Self.matrix(picture.width, picture.height, orientation: 1, side: side)
            pdf = Self.document(image: image, picture.rgb, matrix, side: side)
        case .jpeg:
            let head = try JPEGHead(file)
            let space = [1: "DeviceGray", 3: "DeviceRGB"][head.componentCount] ?? "DeviceCMYK"
            let inverted = head.componentCount == 4 && head.isAdobe ? " /Decode [1 0 1 0 1 0 1 0]" : ""
            let image =
                "/Width \(head.width) /Height \(head.height) /ColorSpace /\(space)\(inverted) /Filter /DCTDecode"
            let matrix = Self.matrix(head.width, head.height, orientation: head.orientation, side: side)
            pdf = Self.document(image: image, file, matrix, side: side)
        default: throw .unknownFormat
        }
    }

    /// Returns the six numbers that put the picture, a square of side 1 with its top at 1, on the page.
    ///
    /// - Parameters:
    ///   - width: The width of the picture as it is stored.
    ///   - height: Its height.
    ///   - orientation: How it must be turned, as in ``JPEGHead/orientation``.
    ///   - side: The side of the page.
    /// - Returns: The numbers for the operator `cm`.
    private static func matrix(_ width: Int, _ height: Int, orientation: Int, side: Int) -> [Double] {
        // Where a point (u, v) of the picture comes to lie: right = r.u u + r.v v + r.0, up likewise.
        let turns: [(right: (u: Double, v: Double, o: Double), up: (u: Double, v: Double, o: Double))] = [
            ((1, 0, 0), (0, 1, 0)), ((-1, 0, 1), (0, 1, 0)), ((-1, 0, 1), (0, -1, 1)), ((1, 0, 0), (0, -1, 1)),
            ((0, -1, 1), (-1, 0, 1)), ((0, 1, 0), (-1, 0, 1)), ((0, 1, 0), (1, 0, 0)), ((0, -1, 1), (1, 0, 0)),
        ]
        let (right, up) = turns[orientation - 1]
        let (shownWidth, shownHeight) = orientation > 4 ? (height, width) : (width, height)
        let scale = Double(side) / Double(min(shownWidth, shownHeight))
        let (wide, high) = (scale * Double(shownWidth), scale * Double(shownHeight))
        let (x, y) = ((Double(side) - wide) / 2, (Double(side) - high) / 2)
        return [
            wide * right.u, high * up.u, wide * right.v, high * up.v, x + wide * right.o, y + high * up.o,
        ]
    }

    private static func document(image: String, _ content: [UInt8], _ matrix: [Double], side: Int) -> [UInt8] {
        let numbers = matrix.map { String(format: "%.4f", $0) }.joined(separator: " ")
        let drawing = "q \(numbers) cm /P Do Q"
        let page =
            "/Type /Page /Parent 2 0 R /MediaBox [0 0 \(side) \(side)] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >>"
        var pdf = Array("%PDF-1.4\n".utf8)
        var places: [Int] = []
        func add(_ fields: String, _ stream: [UInt8]? = nil) {
            places.append(pdf.count)
            let length = stream.map { " /Length \($0.count)" } ?? ""
            pdf += Array("\(places.count) 0 obj\n<< \(fields)\(length) >>\n".utf8)
            if let stream { pdf += Array("stream\n".utf8) + stream + Array("\nendstream\n".utf8) }
            pdf += Array("endobj\n".utf8)
        }
        add("/Type /Catalog /Pages 2 0 R")
        add("/Type /Pages /Kids [3 0 R] /Count 1")
        add(page)
        add("", Array(drawing.utf8))
        add("/Type /XObject /Subtype /Image /BitsPerComponent 8 \(image)", content)
        let start = pdf.count
        let table = places.map { String(format: "%010d 00000 n \n", $0) }.joined()
        pdf += Array("xref\n0 6\n0000000000 65535 f \n\(table)trailer\n<< /Size 6 /Root 1 0 R >>\n".utf8)
        pdf += Array("startxref\n\(start)\n%%EOF\n".utf8)
        return pdf
    }
}
