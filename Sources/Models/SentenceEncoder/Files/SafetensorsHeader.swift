import Foundation

/// The table of contents of a safetensors file: https://huggingface.co/docs/safetensors (section "Format").
struct SafetensorsHeader: Decodable {
    /// One entry; offsets count from the end of the header.
    struct Entry: Decodable {
        let elementType: String
        let shape: [Int]
        let offsets: [Int]

        private enum CodingKeys: String, CodingKey {
            case elementType = "dtype"
            case shape
            case offsets = "data_offsets"
        }
    }

    let entries: [String: Entry]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        var entries: [String: Entry] = [:]
        for key in container.allKeys where key.stringValue != "__metadata__" {
            entries[key.stringValue] = try container.decode(Entry.self, forKey: key)
        }
        self.entries = entries
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension SafetensorsHeader.Entry {
    private static let byteCounts = [
        "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2,
        "U8": 1, "BOOL": 1,
    ]

    /// The bytes that the shape asks for; nil for an unknown element type, a negative size or an overflow.
    var expectedByteCount: Int? {
        guard var count = Self.byteCounts[elementType] else { return nil }
        for size in shape {
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            guard size >= 0, !overflow else { return nil }
            count = product
        }
        return count
    }
}
