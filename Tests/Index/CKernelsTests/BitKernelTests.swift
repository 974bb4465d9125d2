import CKernels
import Testing

/// The kernels of the compact form: every variant against the portable one, and that one against the definitions.
@Suite struct BitKernelTests {
    static let lengths = [1, 3, 63, 64, 65, 100, 384, 768, 1000, 1024, 1536, 3072, 4096, 16_384]
    private static let portable = IndexKernelTests.portable

    /// Rows of random bits, beginning at an odd address and ending with their memory, and encoded queries likewise.
    private struct Codes {
        let width: Int
        let querySize: Int
        let bits: [UInt8]
        let queries: [UInt8]

        init(length: Int, rowCount: Int, queryCount: Int, _ kernels: nexus_index_kernels) {
            var random = SeededNumbers(seed: UInt64(length))
            width = nexus_bit_width(length)
            querySize = nexus_bit_query_size(width)
            var (bits, queries): ([UInt8], [UInt8]) = ([0], [0])
            for _ in 0..<rowCount {
                var row = random.floats(width).map { UInt8(($0 + 1) * 127.5) }
                for number in length..<8 * width { row[number / 8] &= ~(1 << (number % 8)) }
                bits += row
            }
            for _ in 0..<queryCount {
                var query = [UInt8](repeating: 9, count: querySize)
                _ = kernels.encode_bit_query(&query, random.floats(length).map { $0 == 0 ? 1 : $0 }, length)
                queries += query
            }
            (self.bits, self.queries) = (bits, queries)
        }

        /// Calls `body` with the rows and the queries.
        func with(_ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) throws -> Void) throws {
            try bits.withUnsafeBufferPointer { bits in
                try queries.withUnsafeBufferPointer { queries in
                    try body(#require(bits.baseAddress) + 1, #require(queries.baseAddress) + 1)
                }
            }
        }
    }

    // MARK: encoding

    @Test(arguments: IndexKernelTests.variants) func rowsAreTheirSigns(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(Self.portable)
        var random = SeededNumbers(seed: 11)
        for length in Self.lengths {
            var row = Plain.unit(random.floats(length).map { $0 == 0 ? 1 : $0 })
            if length > 2 { row[1] = 0 }
            row = Plain.unit(row)
            var bits = [UInt8](repeating: 0xAA, count: nexus_bit_width(length))
            var other = bits
            let code = kernels.encode_bits(&bits, row, length)
            let expected = portable.encode_bits(&other, row, length)

            #expect(bits == other && code.factor == expected.factor && code.tangent == expected.tangent)
            #expect((0..<bits.count * 8).allSatisfy { i in Self.bit(bits, i) == (i < length && row[i] > 0) })
            let magnitudes = row.reduce(0) { $0 + Double(abs($1)) }
            let cosine = magnitudes / Double(length).squareRoot()
            let tangent = max(0, 1 - cosine * cosine).squareRoot() / cosine
            #expect(abs(Double(code.factor) * magnitudes - 1) < 1e-5, "length \(length)")
            #expect(Double(code.tangent) >= tangent && Double(code.tangent) < tangent + 5e-3, "length \(length)")
        }
    }

    /// The codes of a query, found by multiplying it with rows of a single bit.
    private static func values(
        of query: [UInt8], length: Int, _ kernels: nexus_index_kernels
    ) -> [Int32] {
        let width = nexus_bit_width(length)
        return (0..<length).map { component in
            var row = [UInt8](repeating: 0, count: width)
            row[component / 8] = 1 << (component % 8)
            var product: Int32 = 0
            kernels.bit_dots(&product, row, width, 1, query)
            return product
        }
    }

    private static func bit(_ bits: [UInt8], _ number: Int) -> Bool { bits[number / 8] >> (number % 8) & 1 == 1 }

    @Test func queriesAreOddCodesAndTheirErrorIsABound() throws {
        let kernels = try #require(Self.portable)
        var random = SeededNumbers(seed: 12)
        for length in Self.lengths where length <= 1000 {
            let query = random.floats(length).map { $0 == 0 ? 1 : $0 }
            var codes = [UInt8](repeating: 9, count: nexus_bit_query_size(nexus_bit_width(length)))
            let code = kernels.encode_bit_query(&codes, query, length)
            let values = Self.values(of: codes, length: length, kernels)

            let scale = Double(code.scale)
            let errors = zip(query, values).map { Double($0) - scale * Double($1) }
            let error = errors.reduce(0) { $0 + $1 * $1 }.squareRoot()
            #expect(values.allSatisfy { abs($0) <= 15 && $0 % 2 != 0 }, "length \(length)")
            #expect(values.reduce(0, +) == code.sum, "length \(length)")
            #expect(errors.allSatisfy { abs($0) < 1.001 * scale }, "length \(length)")
            #expect(Double(code.error) >= error && Double(code.error) < error * 1.001 + 2e-4, "length \(length)")
        }
    }

    @Test(arguments: IndexKernelTests.variants) func queriesAreEncodedTheSame(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(Self.portable)
        var random = SeededNumbers(seed: 13)
        for length in Self.lengths {
            let query = random.floats(length).map { $0 == 0 ? 1 : $0 }
            var codes = [UInt8](repeating: 9, count: nexus_bit_query_size(nexus_bit_width(length)))
            var other = codes
            let code = kernels.encode_bit_query(&codes, query, length)
            let expected = portable.encode_bit_query(&other, query, length)

            #expect(codes == other && code.sum == expected.sum && code.scale == expected.scale, "length \(length)")
            #expect(code.error == expected.error, "length \(length)")
        }
    }

    // MARK: products

    @Test func portableProductsAreThoseOfPlainLoops() throws {
        let kernels = try #require(Self.portable)
        for length in [1, 3, 64, 100, 384, 1000] {
            let codes = Codes(length: length, rowCount: 3, queryCount: 1, kernels)
            let values = Self.values(of: Array(codes.queries[1...]), length: length, kernels)
            var products = [Int32](repeating: 0, count: 3)
            try codes.with { bits, query in kernels.bit_dots(&products, bits, codes.width, 3, query) }

            for row in 0..<3 {
                let bits = Array(codes.bits[(1 + row * codes.width)...])
                let expected = (0..<length).reduce(Int32(0)) { Self.bit(bits, $1) ? $0 + values[$1] : $0 }
                #expect(products[row] == expected, "length \(length)")
            }
        }
    }

    @Test(arguments: IndexKernelTests.variants) func productsOfOneQueryAreEqual(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(Self.portable)
        for length in Self.lengths {
            let codes = Codes(length: length, rowCount: 40, queryCount: 1, portable)
            try codes.with { bits, query in
                var expected = [Int32](repeating: 7, count: 40)
                portable.bit_dots(&expected, bits, codes.width, 40, query)
                for rowCount in 0...40 {
                    var products = [Int32](repeating: 7, count: rowCount + 1)
                    // The last rows, so that reading past them is reading past their memory.
                    let start = bits + (40 - rowCount) * codes.width
                    kernels.bit_dots(&products, start, codes.width, rowCount, query)
                    #expect(products == expected.suffix(rowCount) + [7], "length \(length), \(rowCount) rows")
                }
            }
        }
    }

    @Test(arguments: IndexKernelTests.variants) func productsOfBatchesAreEqual(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(Self.portable)
        for length in Self.lengths {
            let (rowCount, queryCount) = (70, 33)
            let codes = Codes(length: length, rowCount: rowCount, queryCount: queryCount, portable)
            var scratch = [UInt8](repeating: 0xAA, count: nexus_bit_scratch_size(codes.width))
            try codes.with { bits, queries in
                for (rows, count) in [(rowCount, 33), (40, 32), (32, 13), (5, 16), (1, 12), (17, 5), (37, 3), (0, 20)] {
                    var products = [Int32](repeating: 7, count: rows * count + 1)
                    var expected = products
                    let start = bits + (rowCount - rows) * codes.width
                    let some = queries + (queryCount - count) * codes.querySize
                    kernels.bit_batch_dots(&products, start, codes.width, rows, some, count, &scratch)
                    for query in 0..<count {
                        portable.bit_dots(
                            &expected[query * rows], start, codes.width, rows, some + query * codes.querySize)
                    }
                    #expect(products == expected, "length \(length), \(rows) rows, \(count) queries")
                }
            }
        }
    }

    @Test(arguments: IndexKernelTests.variants) func largestSumsStayExact(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let (length, width) = (16_384, 2048)
        let size = nexus_bit_query_size(width)
        let bits = [UInt8](repeating: 0xFF, count: 2 * width)
        var queries = [UInt8](repeating: 0, count: 13 * size)
        var scratch = [UInt8](repeating: 0, count: nexus_bit_scratch_size(width))
        for query in 0..<13 {
            let row = [Float](repeating: query % 2 == 0 ? 0.5 : -0.5, count: length)
            _ = kernels.encode_bit_query(&queries[query * size], row, length)
        }
        var products = [Int32](repeating: 0, count: 26)

        kernels.bit_batch_dots(&products, bits, width, 2, queries, 13, &scratch)

        let largest: Int32 = 15 * 16_384
        let expected = (0..<13).flatMap { query in [Int32](repeating: query % 2 == 0 ? largest : -largest, count: 2) }
        #expect(products == expected)
    }
}
