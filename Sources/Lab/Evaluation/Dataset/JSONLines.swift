import Foundation

/// Reads and writes files of one JSON object a line, UTF-8.
enum JSONLines {
    /// Decodes each line; blank lines are skipped, a byte order mark and CRLF are allowed.
    ///
    /// - Returns: The records with their lines' numbers, from 1.
    static func read<Record: Decodable>(_ type: Record.Type, from file: URL) throws -> [(line: Int, record: Record)] {
        guard var data = try? Data(contentsOf: file) else {
            throw EvaluationError.unreadable(file: file.path)
        }
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { data = data.dropFirst(3) }
        return try decode(type, from: data, file: file.lastPathComponent)
    }

    /// Decodes a file of records that have ids, and checks them one by one.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - file: The file.
    ///   - id: The id of a record, unique in the file.
    ///   - fault: Returns the fault of a record; nil for none.
    /// - Returns: The records in the file's order.
    /// - Throws: ``EvaluationError`` with the file and line of the first fault.
    static func records<Record: Decodable>(
        _ type: Record.Type, from file: URL, id: (Record) -> String, fault: (Record) -> String? = { _ in nil }
    ) throws -> [Record] {
        var seen: Set<String> = []
        return try read(type, from: file).map { line, record in
            guard seen.insert(id(record)).inserted else {
                throw EvaluationError.duplicate(file: file.lastPathComponent, line: line, id: id(record))
            }
            if let fault = fault(record) {
                throw EvaluationError.invalidLine(file: file.lastPathComponent, line: line, reason: fault)
            }
            return record
        }
    }

    /// Decodes each line of `data`.
    static func decode<Record: Decodable>(
        _ type: Record.Type, from data: Data, file: String
    ) throws -> [(line: Int, record: Record)] {
        let decoder = JSONDecoder()
        var records: [(line: Int, record: Record)] = []
        for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
            do {
                records.append((index + 1, try decoder.decode(type, from: Data(line))))
            } catch let error as DecodingError {
                throw EvaluationError.invalidLine(file: file, line: index + 1, reason: error.fieldReason)
            }
        }
        return records
    }

    /// Encodes one record a line, keys sorted: equal records give equal bytes.
    static func encode(_ records: some Sequence<some Encodable>) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = Data()
        for record in records {
            data.append(try encoder.encode(record))
            data.append(0x0A)
        }
        return data
    }
}
