import IndexCore
import VectorIndex

/// Rows, queries and groups from the files of a folder.
struct BenchData {
    private static let rowsPerWrite = 1000
    let base: VectorFile
    let groups: [Int32]
    let queries: [[Float]]

    /// Opens the files; only the first `limit` rows count.
    init(folder: String, limit: Int) throws {
        let file = try VectorFile(folder + "/base.fvecs")
        let groups = try DataFile(folder + "/groups.i32").integers()
        let queries = try VectorFile(folder + "/queries.fvecs")
        guard groups.count == file.count, file.dimensions == queries.dimensions else {
            throw BenchFault("\(folder): the files do not belong together")
        }
        base = file.part(rows: limit, dimensions: file.dimensions)
        self.groups = Array(groups.prefix(limit))
        self.queries = (0..<queries.count).map { queries[$0] }
    }

    private init(base: VectorFile, groups: [Int32], queries: [[Float]]) {
        self.base = base
        self.groups = groups
        self.queries = queries
    }

    /// The first rows; of them and of the queries the first components.
    func part(rows: Int, dimensions: Int) -> BenchData {
        BenchData(
            base: base.part(rows: rows, dimensions: dimensions), groups: Array(groups.prefix(rows)),
            queries: queries.map { Array($0.prefix(dimensions)) })
    }

    /// The same rows in other groups.
    func regrouped(_ groups: [Int32]) -> BenchData { BenchData(base: base, groups: groups, queries: queries) }

    /// A row for the index; its number is its key.
    func row(_ number: Int) -> VectorRow {
        VectorRow(
            key: RowKey(rawValue: Int64(number)), group: GroupKey(rawValue: Int64(groups[number])),
            vector: base[number])
    }

    /// Writes the rows of `numbers` in their order, or all rows; returns the seconds that the index took.
    func write(
        to index: CosineIndex, rowsPerWrite: Int = Self.rowsPerWrite, order numbers: [Int]? = nil
    ) throws -> Double {
        let clock = ContinuousClock()
        let numbers = numbers ?? Array(0..<base.count)
        var duration = Duration.zero
        // Rows are read outside the measured time, at most one write of the usual size at once.
        for start in stride(from: 0, to: numbers.count, by: Self.rowsPerWrite) {
            let rows = numbers[start..<min(start + Self.rowsPerWrite, numbers.count)].map(row)
            duration += try clock.measure {
                for first in stride(from: 0, to: rows.count, by: rowsPerWrite) {
                    try index.upsert(Array(rows[first..<min(first + rowsPerWrite, rows.count)]))
                }
            }
        }
        return duration.seconds
    }

    /// The true best rows of every query among all rows.
    func truth(k: Int) -> BruteForce { BruteForce(base, queries, k: k) { _ in true } }
}
