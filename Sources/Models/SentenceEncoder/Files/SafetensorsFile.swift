package import Foundation

/// A safetensors file, mapped into memory: 8 bytes for the header's length, the header in JSON, the numbers.
///
/// Reading is strict: the tensors fill the rest of the file one after the other, without gap or overlap, each as long
/// as its shape asks for.
package struct SafetensorsFile: Sendable {
    /// The most bytes of a header that the format allows.
    private static let headerByteLimit = 100_000_000

    private let file: MappedFile
    private let entries: [String: SafetensorsHeader.Entry]
    private let dataStart: Int

    /// Maps a file and reads its header.
    ///
    /// - Parameter url: The file.
    /// - Throws: ``EncoderError/unreadable(file:)``, ``EncoderError/malformedHeader(file:)``,
    ///   ``EncoderError/wrongExtent(tensor:)``.
    package init(url: URL) throws(EncoderError) {
        let name = url.lastPathComponent
        guard let file = MappedFile(url: url) else { throw .unreadable(file: name) }
        guard let header = Self.headerBytes(of: file.bytes),
            let entries = try? JSONDecoder().decode(SafetensorsHeader.self, from: Data(header)).entries
        else { throw .malformedHeader(file: name) }
        self.file = file
        self.entries = entries
        dataStart = header.endIndex
        try checkExtents(file: name)
    }

    /// The names of all tensors.
    var names: some Collection<String> { entries.keys }

    /// Returns the type and the bytes of a tensor, row-major; they stay while this value, or a copy of it, lives.
    ///
    /// - Throws: ``EncoderError/missingTensor(name:)``, ``EncoderError/wrongShape(tensor:expected:got:)``.
    func tensor(
        _ name: String, shape: [Int]
    ) throws(EncoderError) -> (elementType: String, bytes: UnsafeRawBufferPointer) {
        guard let entry = entries[name] else { throw .missingTensor(name: name) }
        guard entry.shape == shape else { throw .wrongShape(tensor: name, expected: shape, got: entry.shape) }
        let range = dataStart + entry.offsets[0]..<dataStart + entry.offsets[1]
        return (entry.elementType, UnsafeRawBufferPointer(rebasing: file.bytes[range]))
    }

    /// Returns the numbers of a tensor, row-major; they stay while this value, or a copy of it, lives.
    ///
    /// - Parameters:
    ///   - name: The tensor's name in the file.
    ///   - shape: The shape that it must have.
    /// - Returns: As many floats as the product of `shape`.
    /// - Throws: ``EncoderError/missingTensor(name:)``, ``EncoderError/wrongElementType(tensor:got:)``,
    ///   ``EncoderError/wrongShape(tensor:expected:got:)``, ``EncoderError/wrongExtent(tensor:)``.
    package func floats(_ name: String, shape: [Int]) throws(EncoderError) -> UnsafeBufferPointer<Float> {
        if let entry = entries[name], entry.elementType != "F32" {
            throw .wrongElementType(tensor: name, got: entry.elementType)
        }
        let bytes = try tensor(name, shape: shape).bytes
        guard Int(bitPattern: bytes.baseAddress) % MemoryLayout<Float>.alignment == 0 else {
            throw .wrongExtent(tensor: name)
        }
        return bytes.bindMemory(to: Float.self)
    }

    /// Returns the header's bytes; nil when the file is shorter than the header says.
    private static func headerBytes(of bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
        guard bytes.count >= 8 else { return nil }
        let length = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        guard length >= 2, length <= headerByteLimit, Int(length) <= bytes.count - 8, bytes[8] == 0x7B else {
            return nil
        }
        return bytes[8..<8 + Int(length)]
    }

    private func checkExtents(file name: String) throws(EncoderError) {
        let dataCount = file.bytes.count - dataStart
        guard entries.values.allSatisfy({ $0.offsets.count == 2 }) else { throw .malformedHeader(file: name) }
        var end = 0
        for (tensor, entry) in entries.sorted(by: { $0.value.offsets.lexicographicallyPrecedes($1.value.offsets) }) {
            guard entry.offsets[0] == end, entry.offsets[1] >= end, entry.offsets[1] <= dataCount,
                entry.expectedByteCount == entry.offsets[1] - end
            else { throw .wrongExtent(tensor: tensor) }
            end = entry.offsets[1]
        }
        guard end == dataCount else { throw .malformedHeader(file: name) }
    }
}

/// A whole file, mapped into memory for reading until the last reference is released.
///
/// A file that is replaced by renaming stays unchanged; a file that is truncated in place ends the process at the next
/// access, which is why ``ModelFiles`` only renames.
///
/// Unchecked: the bytes are set in the initialiser, never written, and live as long as the object.
final class MappedFile: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    /// Maps a regular file; nil if there is none or the system refuses.
    init?(url: URL) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let count = Int(status.st_size)
        if count == 0 {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            return nil
        }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }
}
