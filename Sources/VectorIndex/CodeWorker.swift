import CKernels

/// One thread's part of a ``CodeScan``, with the memory that it needs for a block's products.
struct CodeWorker {
    /// From so many queries on, full codes are multiplied with all of them together; fewer go one by one through the
    /// high planes of a block, which the first has brought into the cache.
    private static let batchMinimum = 6

    private let scan: CodeScan
    private(set) var tops: [BoundedCandidates]
    private var products: [Int32]
    private var found: [UInt32]
    private var lowProducts: [Int32]
    private var scratch: [UInt8]

    init(_ scan: CodeScan) {
        self.scan = scan
        let (queryCount, rowCount) = (scan.queries.count, scan.selection.largestCount)
        let isBatch = queryCount >= Self.batchMinimum
        tops = Array(repeating: BoundedCandidates(k: scan.k), count: queryCount)
        products = Array(repeating: 0, count: isBatch ? queryCount * rowCount : rowCount)
        found = Array(repeating: 0, count: rowCount)
        lowProducts = Array(repeating: 0, count: isBatch ? 0 : rowCount)
        scratch = Array(repeating: 0, count: isBatch ? nexus_index_scratch_size(scan.queries.stride / 2) : 0)
    }

    /// Reads blocks until there are none left, or `isStopped` says so.
    mutating func run(_ pass: CodePass, where predicate: ((RowKey) -> Bool)?, isStopped: () -> Bool) {
        while !isStopped(), let chunk = pass.nextChunk() {
            pass.exchangeLimits(&tops)
            for number in chunk {
                if tops.count >= Self.batchMinimum {
                    readBatch(number, where: predicate)
                } else {
                    for query in tops.indices { read(number, for: query, where: predicate) }
                }
            }
            pass.exchangeLimits(&tops)
        }
    }

    /// One query and one block: the high plane of every row, the low plane of those that it does not rule out.
    private mutating func read(_ number: Int, for query: Int, where predicate: ((RowKey) -> Bool)?) {
        let entry = scan.selection.entries[number]
        guard let codes = entry.codes else { preconditionFailure("the rows have no codes") }
        let count = scan.queries.withCodes { base in
            let query8 = base + query * scan.queries.stride
            RowCodes.kernels.plane_dots(&products, codes.high, codes.width, entry.rowCount, query8)
            let count = RowCodes.kernels.reaching(
                &found, products, codes.scales, codes.coarseErrors, entry.rowCount, scan.queries.coarse[query],
                tops[query].limit)
            if count > 0 {
                RowCodes.kernels.plane_dots_at(&lowProducts, codes.low, codes.width, found, count, query8)
            }
            return count
        }
        for index in 0..<count {
            let product = 16 * products[Int(found[index])] + lowProducts[index]
            offer(found[index], product, number, codes, query, where: predicate)
        }
    }

    /// All queries and one block: both planes of every row.
    private mutating func readBatch(_ number: Int, where predicate: ((RowKey) -> Bool)?) {
        let entry = scan.selection.entries[number]
        guard let codes = entry.codes else { preconditionFailure("the rows have no codes") }
        scan.queries.withCodes { base in
            RowCodes.kernels.batch_dots(
                &products, codes.high, codes.low, codes.width, entry.rowCount, base, tops.count, &scratch)
        }
        for query in tops.indices {
            let start = query * entry.rowCount
            let count = products.withUnsafeBufferPointer { products in
                products.baseAddress.map { base in
                    RowCodes.kernels.reaching(
                        &found, base + start, codes.scales, codes.fineErrors, entry.rowCount,
                        scan.queries.fine[query], tops[query].limit)
                } ?? 0
            }
            for index in 0..<count {
                offer(found[index], products[start + Int(found[index])], number, codes, query, where: predicate)
            }
        }
    }

    private mutating func offer(
        _ row: UInt32, _ product: Int32, _ number: Int, _ codes: RowCodes, _ query: Int,
        where predicate: ((RowKey) -> Bool)?
    ) {
        let position = Int(row)
        let form = scan.queries.fine[query]
        let score = form.score(of: product, scale: codes.scales[position])
        let reach = form.reach(error: codes.fineErrors[position])
        guard score + reach >= tops[query].limit else { return }
        let block = scan.selection.block(of: number).block
        guard block.isLive(position) else { return }
        if let predicate, !predicate(block.storage.key(at: position)) { return }
        tops[query].offer(
            BoundedCandidate(lower: score - reach, upper: score + reach, entry: UInt32(number), row: row))
    }
}
