import Glibc

/// The bytes of a file, mapped.
///
/// Unchecked invariant: nothing writes to the mapping, which lives as long as the object.
final class DataFile: @unchecked Sendable {
    let path: String
    let bytes: UnsafeRawBufferPointer

    init(_ path: String) throws {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw BenchFault("\(path): cannot be opened") }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0, let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED
        else { throw BenchFault("\(path): is empty or cannot be mapped") }
        self.path = path
        bytes = UnsafeRawBufferPointer(start: address, count: size)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    /// All numbers of a file of int32.
    func integers() throws -> [Int32] {
        guard bytes.count % 4 == 0 else { throw BenchFault("\(path): is no file of int32") }
        return Array(bytes.bindMemory(to: Int32.self))
    }
}

/// Vectors in the fvecs format: each row an int32 with the number of components, then the components as float32.
struct VectorFile {
    let count: Int
    let dimensions: Int
    private let file: DataFile
    private let storedDimensions: Int

    init(_ path: String) throws {
        file = try DataFile(path)
        guard file.bytes.count >= 8 else { throw BenchFault("\(path): holds no vector") }
        dimensions = Int(file.bytes.load(as: Int32.self))
        guard dimensions >= 1, file.bytes.count % (4 * dimensions + 4) == 0 else {
            throw BenchFault("\(path): is no fvecs file")
        }
        count = file.bytes.count / (4 * dimensions + 4)
        storedDimensions = dimensions
    }

    private init(_ whole: VectorFile, rows: Int, dimensions: Int) {
        file = whole.file
        storedDimensions = whole.storedDimensions
        count = min(rows, whole.count)
        self.dimensions = dimensions
    }

    /// The first rows, and of each the first components.
    func part(rows: Int, dimensions: Int) -> VectorFile { VectorFile(self, rows: rows, dimensions: dimensions) }

    /// One row.
    subscript(row: Int) -> [Float] {
        let start = row * (4 * storedDimensions + 4) + 4
        return Array(
            UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + 4 * dimensions]).bindMemory(to: Float.self))
    }
}
