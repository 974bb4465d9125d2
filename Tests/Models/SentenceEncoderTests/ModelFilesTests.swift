import Foundation
import SentenceEncoder
import Testing

@Suite struct ModelFilesTests {
    /// Two small files: "alpha" and "beta".
    static let small = ModelFiles(
        folderName: "small",
        files: [
            ModelFile(
                name: "a.txt", byteCount: 5,
                sha256: "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8"),
            ModelFile(
                name: "b.txt", byteCount: 4,
                sha256: "f44e64e75f3948e9f73f8dfa94721c4ce8cbb4f265c4790c702b2d41cfbf2753"),
        ])

    @Test func rootComesFromTheEnvironment() {
        let none = URL(filePath: "/nothing-here", directoryHint: .isDirectory)
        func root(_ environment: [String: String]) -> String {
            ModelFiles.standard.defaultRoot(environment: environment, installed: none).path
        }

        #expect(root(["NEXUS_MODEL_DIR": "/m", "HOME": "/h"]) == "/m")
        #expect(root(["HOME": "/h"]) == "/h/.cache/nexus/models")
        #expect(root(["NEXUS_MODEL_DIR": "", "HOME": "/h"]) == "/h/.cache/nexus/models")
        #expect(ModelFiles.standard.modelFolder(in: URL(filePath: "/m")).path == "/m/all-MiniLM-L6-v2")
    }

    @Test func anInstalledModelServesWhereTheUserHasNone() throws {
        try withFiles { installed in
            try FileManager.default.createDirectory(
                at: Self.small.modelFolder(in: installed), withIntermediateDirectories: true)

            #expect(Self.small.defaultRoot(environment: ["HOME": "/h"], installed: installed).path == installed.path)
            #expect(Self.small.defaultRoot(environment: ["HOME": installed.path], installed: installed) == installed)
            #expect(Self.small.defaultRoot(environment: ["NEXUS_MODEL_DIR": "/m"], installed: installed).path == "/m")
        }
    }

    @Test func standardFilesArePinned() {
        #expect(ModelFiles.standard.files.map(\.name) == ["config.json", "vocab.txt", "model.safetensors"])
        #expect(ModelFiles.standard.files.map(\.byteCount) == [612, 231_508, 90_868_376])
        #expect(ModelFiles.standard.files.allSatisfy { $0.sha256.utf8.count == 64 })
        #expect(ModelFiles.standard.files[2].sha256.hasPrefix("53aa5117"))
    }

    @Test func verifiesAndSaysWhatIsWrong() throws {
        try withFiles { folder in
            try Self.small.verify(folder: folder)
            #expect(Self.small.isInPlace(Self.small.files[0], folder: folder))

            try Data("alphb".utf8).write(to: folder.appending(path: "a.txt"))
            #expect(throws: ModelFilesError.wrongDigest(file: "a.txt")) { try Self.small.verify(folder: folder) }
            #expect(!Self.small.isInPlace(Self.small.files[0], folder: folder))
            #expect(Self.small.isInPlace(Self.small.files[1], folder: folder))

            try Data("alp".utf8).write(to: folder.appending(path: "a.txt"))
            #expect(throws: ModelFilesError.wrongSize(file: "a.txt", expected: 5, got: 3)) {
                try Self.small.verify(folder: folder)
            }
            try FileManager.default.removeItem(at: folder.appending(path: "a.txt"))
            #expect(throws: ModelFilesError.missing(file: "a.txt")) { try Self.small.verify(folder: folder) }
            try FileManager.default.createDirectory(
                at: folder.appending(path: "a.txt"), withIntermediateDirectories: false)
            #expect(throws: ModelFilesError.missing(file: "a.txt")) { try Self.small.verify(folder: folder) }
        }
    }

    /// Changed right after each check, in place and with the old modification time put back.
    @Test func changeAfterACheckIsNoticed() throws {
        try withFiles { folder in
            let url = folder.appending(path: "a.txt")
            for _ in 0..<20 {
                let before = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
                try Self.small.verify(folder: folder)
                try overwrite(url, with: "alphb")
                try FileManager.default.setAttributes(
                    [.modificationDate: try #require(before)], ofItemAtPath: url.path)
                #expect(throws: ModelFilesError.wrongDigest(file: "a.txt")) { try Self.small.verify(folder: folder) }
                try overwrite(url, with: "alpha")
            }
        }
    }

    /// A stamp is believed: a digest that the file does not have counts once the stamp names the file as it is.
    @Test func stampSparesASecondReading() throws {
        try withFiles { folder in
            let url = folder.appending(path: "a.txt")
            let stamp = folder.appending(path: ".verified")
            while try !text(of: stamp).contains("a.txt") { try Self.small.verify(folder: folder) }
            let other = Self.small.files[0].sha256.replacingOccurrences(of: "8ed3", with: "0000")
            let forged = try text(of: stamp).replacingOccurrences(of: "8ed3", with: "0000")
            let files = [ModelFile(name: "a.txt", byteCount: 5, sha256: other)]
            let model = ModelFiles(folderName: "small", files: files)

            #expect(throws: ModelFilesError.wrongDigest(file: "a.txt")) { try model.verify(folder: folder) }
            try Data(forged.utf8).write(to: stamp)
            try model.verify(folder: folder)
            try overwrite(url, with: "alphb")
            #expect(throws: ModelFilesError.wrongDigest(file: "a.txt")) { try model.verify(folder: folder) }
        }
    }

    @Test func damagedStampIsIgnored() throws {
        try withFiles { folder in
            try Data([0xFF, 0x00, 0x0A]).write(to: folder.appending(path: ".verified"))
            try Self.small.verify(folder: folder)
        }
    }

    @Test func installsFromAFolderAndTakesNoWrongFile() throws {
        try withFiles { source in
            try withTemporaryFolder { root in
                let target = Self.small.modelFolder(in: root)
                try Self.small.install(from: source, to: target)
                try Self.small.verify(folder: target)
                #expect(try text(of: target.appending(path: "b.txt")) == "beta")

                try Data("bet".utf8).write(to: target.appending(path: "b.txt"))
                try Data("wrong".utf8).write(to: source.appending(path: "b.txt"))
                #expect(throws: ModelFilesError.wrongSize(file: "b.txt", expected: 4, got: 5)) {
                    try Self.small.install(from: source, to: target)
                }
                #expect(try text(of: target.appending(path: "b.txt")) == "bet")
                try FileManager.default.removeItem(at: source.appending(path: "b.txt"))
                #expect(throws: ModelFilesError.missing(file: "b.txt")) {
                    try Self.small.install(from: source, to: target)
                }
                #expect(try leftovers(in: target).isEmpty)
            }
        }
    }

    /// The hub's own cache holds links to files of other names; what is installed must not depend on it.
    @Test func installsWhatLinksPointTo() throws {
        try withFiles { blobs in
            try withTemporaryFolder { root in
                let source = root.appending(path: "snapshot")
                try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
                for name in ["a.txt", "b.txt"] {
                    try FileManager.default.moveItem(
                        at: blobs.appending(path: name), to: root.appending(path: "blob-\(name)"))
                    try FileManager.default.createSymbolicLink(
                        atPath: source.appending(path: name).path, withDestinationPath: "../blob-\(name)")
                }
                let target = Self.small.modelFolder(in: root.appending(path: "models"))

                try Self.small.install(from: source, to: target)
                try FileManager.default.removeItem(at: source)

                try Self.small.verify(folder: target)
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: target.appending(path: "b.txt").path)
                #expect(attributes[.type] as? FileAttributeType == .typeRegular)
            }
        }
    }

    @Test func downloadedFileIsCheckedBeforeItTakesItsPlace() throws {
        try withTemporaryFolder { folder in
            let part = folder.appending(path: "download")
            let target = folder.appending(path: "model")
            try Data("beto".utf8).write(to: part)
            #expect(throws: ModelFilesError.wrongDigest(file: "b.txt")) {
                try Self.small.install(file: part, as: Self.small.files[1], in: target)
            }
            #expect(FileManager.default.fileExists(atPath: part.path))
            #expect(!FileManager.default.fileExists(atPath: target.appending(path: "b.txt").path))

            try Data("beta".utf8).write(to: part)
            try Self.small.install(file: part, as: Self.small.files[1], in: target)
            #expect(!FileManager.default.fileExists(atPath: part.path))
            #expect(Self.small.isInPlace(Self.small.files[1], folder: target))
        }
    }

    @Test func fileInPlaceOfTheFolderIsAnError() throws {
        try withFiles { source in
            let target = source.appending(path: "a.txt")
            #expect(throws: ModelFilesError.unwritable(file: "a.txt")) {
                try Self.small.install(from: source, to: target)
            }
            let content = try text(of: target)
            #expect(content == "alpha")
        }
    }

    private func withFiles(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder in
            try Data("alpha".utf8).write(to: folder.appending(path: "a.txt"))
            try Data("beta".utf8).write(to: folder.appending(path: "b.txt"))
            try body(folder)
        }
    }

    private func overwrite(_ url: URL, with text: String) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    /// The file's text, empty when there is no file.
    private func text(of url: URL) throws -> String {
        guard FileManager.default.fileExists(atPath: url.path) else { return "" }
        return try String(contentsOf: url, encoding: .utf8)
    }

    private func leftovers(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".part") }
    }
}
