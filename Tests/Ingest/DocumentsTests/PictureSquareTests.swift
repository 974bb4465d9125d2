import ChatCore
import Documents
import Foundation
import Glibc
import Testing

/// Pictures of people: what is read of a file, and what is made of it.
@Suite struct PictureSquareTests {
    private static let white: [UInt8] = [255, 255, 255]

    /// Returns the colours in the middle of the quarters.
    private func quarters(_ pixels: PNGPixels) -> [[UInt8]] {
        [(2, 2), (6, 2), (2, 6), (6, 6)].map { x, y in
            let start = 3 * (y * pixels.width + x)
            return Array(pixels.rgb[start..<start + 3])
        }
    }

    @Test(
        arguments: [
            ("rgb", SmallPictures.quarters), ("palette", SmallPictures.quarters),
            ("interlaced", SmallPictures.quarters),
            ("rgbAlpha", [[220, 20, 20], [20, 200, 20], [137, 137, 237], white]),
            ("paletteAlpha", Array(SmallPictures.quarters.prefix(3)) + [white]),
            ("grey", [10, 90, 170, 250].map { [$0, $0, $0] }), ("grey16", [10, 90, 170, 250].map { [$0, $0, $0] }),
            ("greyAlpha", [10, 90, 170, 250].map { [$0, $0, $0] }), ("bits", [0, 0, 255, 255].map { [$0, $0, $0] }),
        ] as [(String, [[UInt8]])])
    func eachKindOfPNGIsRead(_ name: String, _ expected: [[UInt8]]) throws {
        let pixels = try PNGPixels(SmallPictures.bytes(name))
        #expect(pixels.width == 8 && pixels.height == 8 && pixels.rgb.count == 192)
        for (found, wanted) in zip(quarters(pixels), expected) {
            for (one, other) in zip(found, wanted) { #expect(abs(Int(one) - Int(other)) <= 1, "\(found)") }
        }
    }

    @Test func eachFilterOfPNGIsUndone() throws {
        let pixels = try PNGPixels(SmallPictures.bytes("filters"))
        for x in 0..<8 {
            for y in 0..<8 {
                let start = 3 * (8 * y + x)
                #expect(Array(pixels.rgb[start..<start + 3]) == [UInt8(30 * x), UInt8(30 * y), UInt8(4 * x * y)])
            }
        }
    }

    /// A file that promises more than it holds, or is cut off anywhere, is an error and no crash.
    @Test(arguments: ["rgb", "palette", "interlaced", "bits", "filters"])
    func damagedPNGsAreErrors(name: String) {
        let whole = SmallPictures.bytes(name)
        // Without its last part, which has no content, it is whole.
        for count in 8..<whole.count where count != whole.count - 12 {
            #expect(throws: PictureError.self) { _ = try PNGPixels(Array(whole[..<count])) }
        }
        for place in 8..<whole.count {
            for bits: UInt8 in [0x01, 0x80, 0xFF] {
                var changed = whole
                changed[place] ^= bits
                _ = try? PNGPixels(changed)
            }
        }
    }

    @Test func tooManyPixelsAreRefusedBeforeTheyAreRead() {
        var png = SmallPictures.bytes("rgb")
        png.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        #expect(throws: PictureError.tooLarge) { _ = try PNGPixels(png) }
        png.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1])
        #expect(throws: PictureError.unreadable) { _ = try PNGPixels(png) }
        var jpeg = SmallPictures.bytes("jpegGrey")
        let head = place(of: [0xFF, 0xC0], in: jpeg)
        jpeg.replaceSubrange(head + 5..<head + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: PictureError.tooLarge) { _ = try JPEGHead(jpeg) }
    }

    @Test func theHeadOfAJPEGIsRead() throws {
        let head = try JPEGHead(SmallPictures.bytes("jpeg"))
        #expect((head.width, head.height, head.componentCount, head.orientation) == (32, 16, 3, 6) && !head.isAdobe)
        #expect(try JPEGHead(SmallPictures.bytes("jpegProgressive")).orientation == 6)
        #expect(try JPEGHead(SmallPictures.bytes("jpegGrey")).componentCount == 1)
        let printing = try JPEGHead(SmallPictures.bytes("jpegCMYK"))
        #expect(printing.componentCount == 4 && printing.isAdobe && printing.orientation == 1)
    }

    @Test(arguments: ["jpeg", "jpegProgressive", "jpegCMYK"]) func damagedHeadsAreErrors(name: String) {
        let whole = SmallPictures.bytes(name)
        for count in 3..<whole.count { _ = try? JPEGHead(Array(whole[..<count])) }
        for place in 2..<whole.count {
            for bits: UInt8 in [0x01, 0x80, 0xFF] {
                var changed = whole
                changed[place] ^= bits
                _ = try? JPEGHead(changed)
            }
        }
        #expect(throws: PictureError.unreadable) { _ = try JPEGHead(Array(whole[..<40])) }
    }

    /// Draws a picture as a server does, and returns the colours in the middle of the quarters of the square.
    private func drawn(_ file: [UInt8]) async throws -> (colours: [[UInt8]], jpeg: [UInt8]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "square-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appending(path: "picture")
        try Data(file).write(to: place)
        let jpeg = try await PictureSquare.make(of: place)
        // The same program reads the result, this time without packing it.
        let page = folder.appending(path: "again.pdf")
        try Data(PicturePage(jpeg, side: 64).pdf).write(to: page)
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = ["pdftoppm", "-r", "72", "-singlefile", page.path, folder.appending(path: "again").path]
        try program.run()
        program.waitUntilExit()
        let pixels = [UInt8](try Data(contentsOf: folder.appending(path: "again.ppm"))).suffix(3 * 64 * 64)
        let colours = [(16, 16), (48, 16), (16, 48), (48, 48)].map { x, y in
            let start = pixels.startIndex + 3 * (64 * y + x)
            return Array(pixels[start..<start + 3])
        }
        return (colours, jpeg)
    }

    private func isLike(_ found: [[UInt8]], _ wanted: [[UInt8]], within distance: Int = 12) -> Bool {
        zip(found, wanted).allSatisfy { one, other in
            zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= distance }
        }
    }

    @Test(arguments: ["rgb", "jpeg", "jpegProgressive", "jpegCMYK"])
    func theSquareShowsThePictureAndNothingElse(name: String) async throws {
        let (colours, jpeg) = try await drawn(SmallPictures.bytes(name))
        // Both JPEGs with Exif are to be turned to the right.
        let isTurned = ["jpeg", "jpegProgressive"].contains(name)
        let wanted = (isTurned ? [2, 0, 3, 1] : [0, 1, 2, 3]).map { SmallPictures.quarters[$0] }
        #expect(isLike(colours, wanted, within: name == "jpegCMYK" ? 90 : 12), "\(colours)")
        let head = try JPEGHead(jpeg)
        #expect(head.width == Picture.side && head.height == Picture.side && head.orientation == 1)
        #expect(!String(decoding: jpeg, as: UTF8.self).contains("SECRET"))
        #expect(jpeg.count < 8_000)
    }

    /// What every orientation of Exif does to the quarters.
    @Test(arguments: [
        (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]), (5, [0, 2, 1, 3]),
        (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]),
    ])
    func aCameraMayBeHeldAnyWay(_ orientation: Int, _ order: [Int]) async throws {
        var file = SmallPictures.bytes("jpeg")
        let entry = place(of: [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6], in: file)
        file[entry + 9] = UInt8(orientation)
        let colours = try await drawn(file).colours
        #expect(isLike(colours, order.map { SmallPictures.quarters[$0] }), "\(colours)")
    }

    @Test func filesThatAreNoPicturesAreNotDrawn() async throws {
        for text in ["%PDF-1.4", "<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a", ""] {
            await #expect(throws: PictureError.unknownFormat, "\(text)") { _ = try await drawn(Array(text.utf8)) }
        }
        // The head is good, and the pixels are missing.
        let jpeg = SmallPictures.bytes("jpeg")
        _ = try? await drawn(Array(jpeg[..<(jpeg.count - 60)]))
    }

    private func place(of bytes: [UInt8], in file: [UInt8]) -> Int {
        file.indices.first { file[$0...].starts(with: bytes) } ?? 0
    }

    /// Runs a shell script instead of the program.
    private func square(_ script: String, timeLimit: Duration = .seconds(60)) async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "program")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
        chmod(program.path, 0o700)
        return try await PictureProcess(program: program.path, timeLimit: timeLimit).square(of: [1, 2, 3])
    }

    @Test func theProcessGetsTheFileAndItsOutputIsTaken() async throws {
        let found = try await square("[ \"$1 $2\" = 'read-file --square' ] && printf '\\377\\330\\377' && cat \"$3\"")
        #expect(found == [0xFF, 0xD8, 0xFF, 1, 2, 3])
    }

    @Test(arguments: PictureError.allCases) func theStatusOfTheProcessSaysWhy(error: PictureError) async {
        await #expect(throws: error) { _ = try await square("exit \(error.status)") }
    }

    @Test(arguments: ["kill -9 $$", "exit 1", "echo no picture", "yes"])
    func whateverElseTheProcessDoesIsAnUnreadablePicture(script: String) async {
        await #expect(throws: PictureError.unreadable) { _ = try await square(script) }
    }

    @Test(.timeLimit(.minutes(1))) func timeEndsTheProcess() async {
        await #expect(throws: PictureError.unreadable) {
            _ = try await square("sleep 3600 & sleep 3600", timeLimit: .milliseconds(300))
        }
    }
}
