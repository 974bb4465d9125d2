import IndexCore

/// One pass of some queries over the codes in scope: finds the rows that can be among the best, with proof.
struct CodeScan: Sendable {
    let selection: BlockSelection
    let queries: QueryCodes
    /// Hits wanted of each query; at most the rows in scope.
    let k: Int

    /// Codes that must be read for each thread that helps: one read takes 25 µs, about as long as a parked thread to wake.
    private static let bytesPerThread = 512 * 1024

    /// Finds the candidates of each query: among them are its `k` best rows, each with its interval.
    ///
    /// - Parameters:
    ///   - context: Who helps. A predicate is asked on the calling thread only, which then works alone.
    ///   - predicate: Which rows may be found, nil for all.
    /// - Returns: One set of candidates a query.
    /// - Throws: ``VectorIndexError/cancelled``.
    func candidates(
        _ context: ScanContext, where predicate: RowPredicate?
    ) throws(VectorIndexError) -> [BoundedCandidates] {
        let pass = CodePass(selection, queryCount: queries.count)
        // For a batch the products count, which take as long as reading once from about four queries on.
        let scannedBytes = selection.rowCount * queries.width * max(1, queries.count / 4)
        let usefulCount = min(scannedBytes / Self.bytesPerThread, pass.chunkCount - 1)
        let helperCount = predicate == nil ? max(0, min(context.helperCount, usefulCount)) : 0
        var worker = CodeWorker(self)
        context.helpers.share(
            {
                var helper = CodeWorker(self)
                helper.run(pass, where: nil) { pass.isStopped }
                if helper.isDamaged { pass.reportDamage() }
                pass.hand(in: helper.tops)
            }, helperCount: helperCount
        ) {
            worker.run(pass, where: predicate) {
                if context.isCancelled() { pass.stop() }
                return pass.isStopped
            }
        }
        if worker.isDamaged { pass.reportDamage() }
        if pass.isDamaged { throw .damaged }
        if pass.isStopped { throw .cancelled }
        return merged(worker.tops, pass.handedIn)
    }

    private func merged(_ own: [BoundedCandidates], _ others: [[BoundedCandidates]]) -> [BoundedCandidates] {
        var tops = own
        for query in tops.indices {
            for other in others { tops[query].merge(other[query]) }
            tops[query].cut()
        }
        return tops
    }
}
