import Foundation
import Subprocess
import SystemPackage

/// Reads the words of pictures with `tesseract`, and of pages of a PDF that are pictures.
struct PictureReader {
    /// The most pages of a PDF that are read as pictures, and the time after which no further one is begun.
    private static let (pageLimit, timeLimit) = (20, Duration.seconds(40))
    /// A page with fewer letters and digits in it is read as a picture.
    private static let leastLetterCount = 20
    /// Dots per inch of pages that are drawn: below 200 small print is misread.
    private static let resolution = "200"
    /// The languages of which the first ones are tried together; each one costs time.
    private static let (languages, languageLimit) = (["eng", "deu", "fra", "spa", "jpn"], 3)
    private static let byteLimit = 64 << 20

    /// The options of `tesseract`.
    private let options: [String]

    /// Finds the program and its languages; nil if there are none.
    ///
    /// They are asked for, because a missing language is no error for the program: its letters are only read wrongly.
    init?() async {
        guard
            let result = try? await run(
                .name("tesseract"), arguments: ["--list-langs"], output: .string(limit: 1 << 16)),
            result.terminationStatus.isSuccess
        else { return nil }
        let found = Set(result.standardOutput.split(whereSeparator: \.isNewline).map { String($0) })
        let languages = Self.languages.filter(found.contains).prefix(Self.languageLimit)
        guard !languages.isEmpty else { return nil }
        // With `osd` a turned picture is read too; without it, it would become nonsense.
        options = ["-l", languages.joined(separator: "+"), "--psm", found.contains("osd") ? "1" : "3", "tsv"]
    }

    /// Returns the words of a picture.
    func text(of picture: URL) async throws -> String {
        let result = try await run(
            .name("tesseract"), arguments: Arguments([picture.path, "stdout"] + options), environment: Self.environment,
            output: .string(limit: Self.byteLimit))
        guard result.terminationStatus.isSuccess else { throw DocumentError.damaged }
        return PictureText(table: result.standardOutput).text
    }

    /// Fills the pages of a PDF that have hardly any text; returns whether any was filled, and whether all were tried.
    func fill(_ document: inout DocumentText, from file: URL) async throws -> (isFilled: Bool, isWhole: Bool) {
        let pages = document.parts.indices.filter { Self.letterCount(document.parts[$0].text) < Self.leastLetterCount }
        let start = ContinuousClock.now
        var isFilled = false
        for (count, page) in pages.enumerated() {
            guard count < Self.pageLimit, ContinuousClock.now - start < Self.timeLimit else { return (isFilled, false) }
            let text = try await text(ofPage: page + 1, in: file)
            guard Self.letterCount(text) > Self.letterCount(document.parts[page].text) else { continue }
            document.parts[page].text = text
            isFilled = true
        }
        return (isFilled, true)
    }

    private func text(ofPage page: Int, in file: URL) async throws -> String {
        let picture = file.deletingLastPathComponent().appending(path: "page-\(page)")
        defer { try? FileManager.default.removeItem(at: picture.appendingPathExtension("png")) }
        let result = try await run(
            .name("pdftoppm"),
            arguments: [
                "-r", Self.resolution, "-gray", "-png", "-singlefile", "-f", "\(page)", "-l", "\(page)", file.path,
                picture.path,
            ], output: .discarded)
        guard result.terminationStatus.isSuccess else { return "" }
        return try await text(of: picture.appendingPathExtension("png"))
    }

    private static func letterCount(_ text: String) -> Int { text.count { $0.isLetter || $0.isNumber } }

    /// One thread: several take many times the processor time on a busy machine.
    private static let environment = Environment.inherit.updating(["OMP_THREAD_LIMIT": "1"])
}
