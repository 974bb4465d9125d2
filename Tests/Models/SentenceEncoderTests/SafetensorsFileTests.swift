import Foundation
import SentenceEncoder
import Testing

@Suite struct SafetensorsFileTests {
    /// A malformed file and the error that it must give.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let content: Data
        let error: EncoderError

        init(_ name: String, _ content: Data, _ error: EncoderError = .malformedHeader(file: "weights")) {
            (testDescription, self.content, self.error) = (name, content, error)
        }

        init(_ name: String, header: String, data: Int, _ error: EncoderError = .malformedHeader(file: "weights")) {
            self.init(name, file(header: header, data: Data(count: data)), error)
        }
    }

    static let cases = [
        Case("empty", Data()),
        Case("shorter than the length", Data([2, 0, 0])),
        Case("length without header", Data([2, 0, 0, 0, 0, 0, 0, 0])),
        Case("length beyond the file", Data([200, 0, 0, 0, 0, 0, 0, 0]) + Data("{}".utf8)),
        Case("length that overflows", Data(repeating: 0xFF, count: 8) + Data("{}".utf8)),
        Case("no JSON", header: "{\"a\":", data: 0),
        Case("an array", header: "[1]", data: 0),
        Case("not UTF-8", Data([2, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0xFF])),
        Case("an entry without shape", header: #"{"a":{"dtype":"F32","data_offsets":[0,4]}}"#, data: 4),
        Case("three offsets", header: entry("F32", "[1]", "[0,4,8]"), data: 4),
        Case("fractions", header: entry("F32", "[1.5]", "[0,4]"), data: 4),
        Case("bytes after the last tensor", header: entry("F32", "[1]", "[0,4]"), data: 5),
        Case("truncated", header: entry("F32", "[2]", "[0,8]"), data: 7, .wrongExtent(tensor: "a")),
        Case("gap before", header: entry("F32", "[1]", "[4,8]"), data: 8, .wrongExtent(tensor: "a")),
        Case("backwards", header: entry("F32", "[1]", "[0,-4]"), data: 0, .wrongExtent(tensor: "a")),
        Case("shape and bytes differ", header: entry("F32", "[3]", "[0,8]"), data: 8, .wrongExtent(tensor: "a")),
        Case("negative size", header: entry("F32", "[-1,-1]", "[0,4]"), data: 4, .wrongExtent(tensor: "a")),
        Case(
            "overflowing shape", header: entry("F32", "[4611686018427387904,4]", "[0,0]"), data: 0,
            .wrongExtent(tensor: "a")),
        Case("unknown element type", header: entry("F31", "[1]", "[0,4]"), data: 4, .wrongExtent(tensor: "a")),
        Case(
            "overlap",
            header: #"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"#
                + #""b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#, data: 8, .wrongExtent(tensor: "b")),
    ]

    @Test(arguments: cases) func malformedFileIsRefused(_ example: Case) throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "weights")
            try example.content.write(to: url)
            #expect(throws: example.error) { try SafetensorsFile(url: url) }
        }
    }

    @Test func missingFileAndFolderAreUnreadable() throws {
        try withTemporaryFolder { folder in
            #expect(throws: EncoderError.unreadable(file: "weights")) {
                try SafetensorsFile(url: folder.appending(path: "weights"))
            }
            #expect(throws: EncoderError.unreadable(file: folder.lastPathComponent)) {
                try SafetensorsFile(url: folder)
            }
        }
    }

    @Test func tensorsAreFoundByNameTypeAndShape() throws {
        try withTemporaryFolder { folder in
            let header =
                #"{"__metadata__":{"format":"pt"},"b":{"dtype":"I32","shape":[1],"data_offsets":[8,12]},"#
                + #""a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}"#
            let url = folder.appending(path: "weights")
            try file(header: header, data: Data([0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 1, 0, 0, 0])).write(to: url)
            let tensors = try SafetensorsFile(url: url)

            #expect(try Array(tensors.floats("a", shape: [2, 1])) == [1, -2])
            #expect(throws: EncoderError.missingTensor(name: "c")) { try tensors.floats("c", shape: [1]) }
            #expect(throws: EncoderError.wrongElementType(tensor: "b", got: "I32")) {
                try tensors.floats("b", shape: [1])
            }
            #expect(throws: EncoderError.wrongShape(tensor: "a", expected: [2], got: [2, 1])) {
                try tensors.floats("a", shape: [2])
            }
        }
    }

    @Test func numbersAtAnOddAddressAreRefused() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "weights")
            try file(header: Self.entry("F32", "[1]", "[0,4]") + " ", data: Data(count: 4), aligned: false).write(
                to: url)
            #expect(throws: EncoderError.wrongExtent(tensor: "a")) {
                try SafetensorsFile(url: url).floats("a", shape: [1])
            }
        }
    }

    @Test func encoderNamesWhatIsWrongWithItsFolder() throws {
        try withTemporaryFolder { folder in
            #expect(throws: EncoderError.unreadable(file: "model.safetensors")) {
                try TransformerEncoder(.miniLM, folder: folder, threadCount: 1)
            }
            let url = folder.appending(path: "model.safetensors")
            try file(header: "{}", data: Data()).write(to: url)
            #expect(throws: EncoderError.missingTensor(name: "embeddings.word_embeddings.weight")) {
                try TransformerEncoder(.miniLM, folder: folder, threadCount: 1)
            }
            let name = "embeddings.word_embeddings.weight"
            try file(header: Self.entry("F32", "[1,384]", "[0,1536]", name: name), data: Data(count: 1_536))
                .write(to: url)
            #expect(throws: EncoderError.wrongShape(tensor: name, expected: [30_522, 384], got: [1, 384])) {
                try TransformerEncoder(.miniLM, folder: folder, threadCount: 1)
            }
        }
    }

    private static func entry(_ type: String, _ shape: String, _ offsets: String, name: String = "a") -> String {
        #"{"\#(name)":{"dtype":"\#(type)","shape":\#(shape),"data_offsets":\#(offsets)}}"#
    }
}

/// Puts a file together; spaces after the header bring the numbers to an address that floats may have.
private func file(header: String, data: Data, aligned: Bool = true) -> Data {
    var header = Data(header.utf8)
    while aligned == (header.count % 4 != 0) { header.append(0x20) }
    return withUnsafeBytes(of: UInt64(header.count).littleEndian) { Data($0) } + header + data
}
