import Foundation
import SentenceEncoder
import Testing

@Suite struct QuantizedModelFileTests {
    /// The error of a model that is changed before it is written.
    private func error(_ change: (inout SyntheticModel) -> Void) throws -> EncoderError? {
        var model = SyntheticModel()
        change(&model)
        return try error(of: model.data)
    }

    private func error(of data: Data) throws -> EncoderError? {
        var found: EncoderError?
        try withFile(containing: data) { url in
            do throws(EncoderError) {
                _ = try TransformerEncoder(file: url, tokenPrefix: "", threadCount: 1)
            } catch { found = error }
        }
        return found
    }

    @Test func aWholeFileIsRead() throws {
        #expect(try error { _ in } == nil)
    }

    @Test func missingFileIsUnreadable() throws {
        try withTemporaryFolder { folder in
            #expect(throws: EncoderError.unreadable(file: "none")) {
                try QuantizedModelFile(url: folder.appending(path: "none"))
            }
            #expect(throws: EncoderError.unreadable(file: folder.lastPathComponent)) {
                try QuantizedModelFile(url: folder)
            }
        }
    }

    /// Cut at any place, it is refused, and never read beyond its end.
    @Test func aTruncatedFileIsRefused() throws {
        let data = SyntheticModel().data
        let ends = Array(stride(from: 0, to: 2_400, by: 5)) + stride(from: 2_400, to: data.count - 64, by: 9_999)
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "model.bin")
            for end in ends {
                try data.prefix(end).write(to: url)
                #expect(throws: EncoderError.self, "\(end) bytes") { try QuantizedModelFile(url: url) }
            }
        }
    }

    /// Any byte of the part before the weights may be another: then it is refused, or is another model.
    @Test func aDamagedHeadDoesNoHarm() throws {
        let data = SyntheticModel().data
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "model.bin")
            for place in stride(from: 0, to: 3_000, by: 7) {
                var damaged = data
                damaged[place] ^= place % 2 == 0 ? 0xFF : 0x81
                try damaged.write(to: url)
                guard let encoder = try? TransformerEncoder(file: url, tokenPrefix: "", threadCount: 1) else {
                    continue
                }
                _ = encoder.encode(["abc Ω 東京 \u{FB01}"])
            }
        }
    }

    @Test func wrongStartIsMalformed() throws {
        let data = SyntheticModel().data
        #expect(try error(of: Data("E5S2".utf8) + data.dropFirst(4)) == .malformedHeader(file: "model.bin"))
        #expect(try error(of: data.prefix(4) + Data([2]) + data.dropFirst(5)) == .malformedHeader(file: "model.bin"))
        #expect(try error(of: Data()) == .malformedHeader(file: "model.bin"))
    }

    @Test func sizesMustFitTheKernels() throws {
        let unsupported = EncoderError.unsupportedShape(file: "model.bin")
        #expect(try error { $0.heads = 4 } == unsupported)
        #expect(try error { $0.layers = 0 } == unsupported)
        #expect(try error { $0.layers = 300 } == unsupported)
        #expect(try error { $0.innerWidth = 100 } == unsupported)
        #expect(try error { $0.epsilon = 0 } == unsupported)
        #expect(try error { $0.epsilon = .nan } == unsupported)
        #expect(try error { $0.positions = 0 } == unsupported)
        #expect(try error { $0.width = -64 } == .malformedHeader(file: "model.bin"))
        #expect(try error { $0.extraIDs = -1 } == .malformedVocabulary(file: "model.bin"))
    }

    @Test func vocabularyIsChecked() throws {
        let malformed = EncoderError.malformedVocabulary(file: "model.bin")
        #expect(try error { $0.pieces[7].1 = .infinity } == malformed)
        #expect(try error { $0.pieces[7].0 = "" } == malformed)
        #expect(try error { $0.start = 1_000 } == malformed)
        #expect(try error { $0.unknown = -1 } == malformed)
        let data = SyntheticModel().data
        // The first byte of 東 becomes one that no character has.
        let place = try #require(data.range(of: Data("東京".utf8))).lowerBound
        #expect(try error(of: data.prefix(place) + Data([0xFF]) + data.dropFirst(place + 1)) == malformed)
    }

    @Test func mapIsChecked() throws {
        let malformed = EncoderError.malformedVocabulary(file: "model.bin")
        #expect(try error { $0.map[0].1 = [0xD800] } == malformed)
        #expect(try error { $0.map[0].0 = 0xDFFF } == malformed)
        #expect(try error { $0.map.append((0x11_0000, [])) } == malformed)
        #expect(try error { $0.map.append($0.map[0]) } == malformed)
    }

    @Test func tensorsAreChecked() throws {
        #expect(try error { $0.tensors.removeAll { $0.name == "l1.fo.b" } } == .missingTensor(name: "l1.fo.b"))
        #expect(try error { $0.tensors.removeAll { $0.name == "emb.word" } } == .missingTensor(name: "emb.word"))
        #expect(try error { $0.tensors.append($0.tensors[0]) } == .malformedHeader(file: "model.bin"))
        #expect(
            try error { $0.tensors[1].tensor = .floats(Array(repeating: 0, count: 64)) }
                == .wrongShape(tensor: "emb.pos", expected: [48, 64], got: [64]))
        #expect(
            try error { $0.tensors[0].tensor = .floats(Array(repeating: 0, count: 64)) }
                == .wrongElementType(tensor: "emb.word", got: "F32"))
        #expect(
            try error { $0.tensors[1].tensor = .quantized(Array(repeating: 0, count: 48 * 64 / 32 * 18)) }
                == .wrongElementType(tensor: "emb.pos", got: "Q4_0"))
    }
}
