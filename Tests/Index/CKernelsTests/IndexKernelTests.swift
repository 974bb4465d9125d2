import CKernels
import Testing

/// Every variant of every kernel of the index against the portable one: integer results are equal, not merely close.
@Suite struct IndexKernelTests {
    static let variants = (0...4).compactMap { nexus_index_set(rawValue: $0) }
        .filter { nexus_index_kernels_for($0) != nil }
    static let lengths = Array(1...130) + [384, 768, 1000, 1024, 1536, 3072, 4096]
    static let portable = nexus_index_kernels_for(.portable)?.pointee

    /// Rows in codes with random bits, and queries.
    ///
    /// Memory starts at odd addresses and ends with the last byte, so that a kernel that assumes an alignment or
    /// reads past the end is found (the latter by the sanitizer).
    private struct Planes {
        let width: Int
        let rowCount: Int
        let high: [UInt8]
        let low: [UInt8]
        let queries: [Int8]
        let queryStride: Int

        init(length: Int, rowCount: Int, queryCount: Int, seed: UInt64) {
            var random = SeededNumbers(seed: seed)
            width = (length + 1) / 2
            self.rowCount = rowCount
            let (width, count) = (width, rowCount * width + 1)
            func plane(_ random: inout SeededNumbers) -> [UInt8] {
                random.floats(count).map { UInt8(($0 + 1) * 127.5) }
            }
            (high, low) = (plane(&random), plane(&random))
            let part = nexus_index_query_part(width)
            queryStride = 2 * part
            queries = (0..<queryCount).flatMap { _ in
                var codes = [Int8](repeating: 0, count: 2 * part)
                for (component, value) in random.floats(length).enumerated() {
                    codes[component < width ? component : component - width + part] = Int8(value * 127)
                }
                return codes
            }
        }

        /// Calls `body` with the two planes, each one byte past the start of its memory, and the queries.
        func with(_ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<Int8>) throws -> Void) throws {
            try high.withUnsafeBufferPointer { high in
                try low.withUnsafeBufferPointer { low in
                    try queries.withUnsafeBufferPointer { queries in
                        try body(
                            #require(high.baseAddress) + 1, #require(low.baseAddress) + 1,
                            #require(queries.baseAddress))
                    }
                }
            }
        }
    }

    @Test func portableVariantIsAlwaysThereAndTheBestIsAmongTheOthers() throws {
        let best = nexus_best_index_kernels()

        #expect(Self.variants.first?.rawValue == 0)
        #expect(Self.variants.contains { nexus_index_kernels_for($0) == best })
    }

    @Test func portableProductsAreThoseOfPlainLoops() throws {
        let kernels = try #require(Self.portable)
        for length in [1, 2, 3, 64, 129, 1000] {
            let planes = Planes(length: length, rowCount: 3, queryCount: 1, seed: UInt64(length))
            var products = [Int32](repeating: 0, count: 3)
            try planes.with { high, _, query in
                kernels.row_dots(&products, (0..<3).map { high + $0 * planes.width }, 3, 3, planes.width, query)
            }

            for row in 0..<3 {
                let expected = (0..<length).reduce(0) { sum, component in
                    let isUpper = component >= planes.width
                    let byte = planes.high[1 + row * planes.width + component - (isUpper ? planes.width : 0)]
                    let position = isUpper ? component - planes.width + planes.queryStride / 2 : component
                    return sum + Int(isUpper ? byte >> 4 : byte & 15) * Int(planes.queries[position])
                }
                #expect(Int(products[row]) == expected, "length \(length)")
            }
        }
    }

    @Test(arguments: variants) func productsOfOneQueryAreEqual(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(Self.portable)
        let numbers = [6, 0, 3, 3, 9, 1, 2, 8, 10, 4, 5, 7]

        for length in Self.lengths {
            let planes = Planes(length: length, rowCount: 11, queryCount: 1, seed: UInt64(length))
            try planes.with { high, low, query in
                for (plane, numbers) in [(high, Array(0..<11)), (low, numbers)] {
                    let rows = numbers.map { plane + $0 * planes.width }
                    for count in [1, 2, 3, 4, 7, 11] {
                        var (products, expected) = ([Int32](repeating: 7, count: 12), [Int32](repeating: 7, count: 12))
                        kernels.row_dots(&products, rows, count, rows.count, planes.width, query)
                        portable.row_dots(&expected, rows, count, count, planes.width, query)
                        #expect(products == expected, "length \(length), \(count) rows")
                    }
                }
            }
        }
    }

    @Test(arguments: variants) func productsOfBatchesAreEqual(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(Self.portable)

        for length in Self.lengths {
            let (rowCount, queryCount) = (length % 3 == 0 ? 32 : 37, 33)
            let planes = Planes(length: length, rowCount: rowCount, queryCount: queryCount, seed: UInt64(length))
            var scratch = [UInt8](repeating: 0xAA, count: nexus_index_scratch_size(planes.width))
            try planes.with { high, low, queries in
                for (rows, count) in [(rowCount, queryCount), (rowCount, 13), (5, 16), (16, 1), (17, 6)] {
                    var products = [Int32](repeating: 7, count: rows * count + 1)
                    var expected = products
                    kernels.batch_dots(&products, high, low, planes.width, rows, queries, count, &scratch)
                    portable.batch_dots(&expected, high, low, planes.width, rows, queries, count, &scratch)
                    #expect(products == expected, "length \(length), \(rows) rows, \(count) queries")
                }
            }
        }
    }

    @Test(arguments: variants) func largestSumsStayExact(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let (length, width) = (16_384, 8192)
        let plane = [UInt8](repeating: 0xFF, count: width)
        var scratch = [UInt8](repeating: 0, count: nexus_index_scratch_size(width))
        var product: Int32 = 0

        kernels.batch_dots(&product, plane, plane, width, 1, [Int8](repeating: -127, count: length), 1, &scratch)

        #expect(product == -255 * 127 * 16_384)
    }

    @Test(arguments: variants) func encodingIsTheSameAndItsAnglesAreBounds(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let portable = try #require(Self.portable)
        var random = SeededNumbers(seed: 4)

        for (length, power) in Self.lengths.flatMap({ length in [1, 3, 9].map { (length, $0) } }) {
            // Higher powers leave a few large components, of which the codes must cut off none or little.
            let raw = random.floats(length + 1)[1...].map { $0 == 0 ? 1 : Self.power($0, power) }
            let norm = raw.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
            let row = raw.map { Float(Double($0) / norm) }
            let width = (length + 1) / 2
            var (high, low) = ([UInt8](repeating: 9, count: width), [UInt8](repeating: 9, count: width))
            var (otherHigh, otherLow) = (high, low)
            let code = kernels.encode_row(&high, &low, row, length)
            let other = portable.encode_row(&otherHigh, &otherLow, row, length)

            #expect(high == otherHigh && low == otherLow, "length \(length)")
            #expect(code.fine_factor == other.fine_factor && code.coarse_tangent == other.coarse_tangent)
            let (coarse, fine) = Self.codes(high, low, count: length)
            Self.check(row, coarse, factor: code.coarse_factor, tangent: code.coarse_tangent)
            Self.check(row, fine, factor: code.fine_factor, tangent: code.fine_tangent)
            if length >= 64 {
                #expect(code.coarse_tangent < (power == 1 ? 0.13 : power == 3 ? 0.2 : 0.7), "length \(length)")
                #expect(code.fine_tangent < (power == 1 ? 0.03 : 0.15), "length \(length)")
            }
            if length % 2 == 1 { #expect(high[width - 1] < 16 && low[width - 1] < 16) }
        }
    }

    @Test(arguments: variants) func queriesAreEncodedTheSameAndTheirErrorsAreBounds(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 5)

        for length in Self.lengths {
            let query = random.floats(length).map { $0 == 0 ? 1 : $0 }
            let (width, part) = ((length + 1) / 2, nexus_index_query_part((length + 1) / 2))
            var codes = [Int8](repeating: 9, count: 2 * part)
            let code = kernels.encode_query(&codes, query, length)

            let stored = (0..<length).map { Double(codes[$0 < width ? $0 : $0 - width + part]) }
            let scale = Double(code.scale)
            let error = zip(query, stored).reduce(0) { sum, pair in
                let difference = Double(pair.0) - scale * pair.1
                return sum + difference * difference
            }.squareRoot()
            #expect(zip(query, stored).allSatisfy { abs(Double($0) - scale * $1) < 0.501 * scale })
            #expect(Double(code.error) >= error && Double(code.error) < error * 1.001 + 1e-5)
            #expect(Double(code.sum) == stored.reduce(0, +))
            #expect(codes.count { $0 != 0 } <= length, "padding is zero")
        }
    }

    @Test(arguments: variants) func preciseProductsAreTheSameToTheLastBit(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 6)

        for length in Self.lengths {
            let (rows, query) = (random.floats(4 * length), random.floats(length))
            var products = [Double](repeating: 0, count: 4)
            rows.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                kernels.precise_dots(&products, (0..<4).map { base + $0 * length }, query, length)
            }

            for row in 0..<4 {
                var sums = [0.0, 0, 0, 0]
                for component in 0..<length {
                    let lane = component < length / 4 * 4 ? component % 4 : 0
                    sums[lane] += Double(rows[row * length + component]) * Double(query[component])
                }
                #expect(products[row] == (sums[0] + sums[1]) + (sums[2] + sums[3]), "length \(length)")
            }
        }
    }

    private static func power(_ number: Float, _ exponent: Int) -> Float {
        (0..<exponent).reduce(1) { product, _ in product * number }
    }

    /// What the high plane and both planes stand for, whatever the scale.
    private static func codes(_ high: [UInt8], _ low: [UInt8], count: Int) -> (coarse: [Double], fine: [Double]) {
        let both = (0..<count).map { component in
            let isUpper = component >= high.count
            let byte = isUpper ? component - high.count : component
            return (
                Double(isUpper ? high[byte] >> 4 : high[byte] & 15), Double(isUpper ? low[byte] >> 4 : low[byte] & 15)
            )
        }
        return (both.map { $0.0 - 7.5 }, both.map { 16 * $0.0 + $0.1 - 127.5 })
    }

    private static func check(_ row: [Float], _ code: [Double], factor: Float, tangent: Float) {
        let product = zip(row, code).reduce(0) { $0 + Double($1.0) * $1.1 }
        let square = code.reduce(0) { $0 + $1 * $1 }
        let exact = max(0, square / (product * product) - 1).squareRoot()
        #expect(abs(Double(factor) * 2 * product - 1) < 3e-6, "length \(row.count)")
        #expect(Double(tangent) >= exact - 1e-7 && Double(tangent) < exact * 1.001 + 3e-3, "length \(row.count)")
    }

    @Test(arguments: variants) func estimatesAndTheLargestTangentAreTheSame(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        let form = nexus_score_form(scale: 0.25, slack: 0.125, offset: 3)

        for count in [0, 1, 15, 16, 17, 100] {
            let products = (0..<Int32(count)).map { $0 % 7 - 3 }
            let factors = (0..<count).map { Float($0 % 3) }
            let tangents = (0..<count).map { Float($0) / 8 }
            var estimates = [Float](repeating: 7, count: count + 1)
            let largest = kernels.estimate(&estimates, products, factors, tangents, count, form)

            // All terms are multiples of 1/4, so these products are exact.
            #expect(estimates == (0..<count).map { 0.25 * factors[$0] * Float(2 * products[$0] - 3) } + [7])
            #expect(largest == tangents.max() ?? 0)
        }
    }

    @Test(arguments: variants) func findsExactlyTheNumbersThatReachALimit(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee

        for count in [0, 1, 15, 16, 17, 100] {
            let numbers = (0..<count).map { Float($0 % 7 - 2) / 4 }
            for limit: Float in [-.infinity, -0.5, 0.25, 1, 3, .infinity] {
                var found = [UInt32](repeating: 0, count: count + 1)
                let total = kernels.reaching(&found, numbers, count, limit)

                let expected = (0..<count).filter { numbers[$0] >= limit }
                #expect(found.prefix(total).map(Int.init) == expected, "\(count) numbers, limit \(limit)")
            }
        }
    }

    @Test(arguments: variants) func findsTheNumbersThatReachALimitWithTheirTangents(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee

        for count in [0, 1, 15, 16, 17, 33, 100] {
            let numbers = (0..<count).map { Float($0 % 7 - 2) / 4 }
            let tangents = (0..<count).map { Float($0 % 5) / 8 }
            for (spread, limit) in [(0, 0.25), (0.5, 0.3125), (2, 1), (1, -.infinity), (1, 9)] as [(Float, Float)] {
                var found = [UInt32](repeating: 777, count: count + 1)
                let total = kernels.reaching_within(&found, numbers, tangents, count, spread, limit)

                // All terms are multiples of 1/16, so these sums are exact.
                let expected = (0..<count).filter { numbers[$0] + spread * tangents[$0] >= limit }
                #expect(found.prefix(total).map(Int.init) == expected, "\(count) numbers, limit \(limit)")
                #expect(found[count] == 777)
            }
        }
    }

    @Test(arguments: variants) func theHighMarkIsReachedByEnoughAndNotByManyMore(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee
        var random = SeededNumbers(seed: 31)

        for count in [0, 1, 15, 16, 17, 100, 1000] {
            // Every fifth number is that of a row that must not be found.
            let numbers = random.floats(count).enumerated().map { $0 % 5 == 2 ? -.infinity : $1 }
            let finiteCount = numbers.count { $0 > -.infinity }
            for wanted in [1, 2, 20, 100, 999] {
                let mark = kernels.high_mark(numbers, count, wanted)
                let reaching = numbers.count { $0 >= mark }

                #expect(mark.isFinite)
                #expect(reaching >= min(wanted, finiteCount) && reaching <= 2 * wanted, "\(count), \(wanted)")
                #expect(try mark == #require(Self.portable).high_mark(numbers, count, wanted))
            }
        }
    }

    @Test(arguments: variants) func theHighMarkOfEqualNumbersIsTheirValue(variant: nexus_index_set) throws {
        let kernels = try #require(nexus_index_kernels_for(variant)).pointee

        #expect(kernels.high_mark([Float](repeating: 0.25, count: 40), 40, 3) == 0.25)
        #expect(kernels.high_mark([Float](repeating: -.infinity, count: 40), 40, 3) == -.greatestFiniteMagnitude)
    }
}
