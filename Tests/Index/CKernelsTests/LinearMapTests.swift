import CKernels
import Testing

/// Every variant of the packed linear maps against the portable one and against double precision.
@Suite struct LinearMapTests {
    /// The variants that this processor has; the portable one is always among them.
    static let variants = (0...3).compactMap { nexus_gemm_variant(rawValue: $0) }
        .filter { nexus_gemm_kernels_for($0) != nil }
    /// Sizes around all vector widths, register blocks, tiles and panels.
    static let sizes = [1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 65]
    /// A batch of inputs of one shape; rows of `x` and of the output have a gap behind them.
    struct Shape: Sendable, CustomStringConvertible {
        let rows, columns, terms: Int
        var description: String { "\(rows) × \(columns), \(terms) terms" }
    }

    @Test func portableVariantIsAlwaysThere() {
        #expect(Self.variants.first == .portable)
    }

    @Test func bestVariantIsTheRichest() throws {
        let best = nexus_best_gemm_kernels()
        #expect(best == nexus_gemm_kernels_for(try #require(Self.variants.last)))
    }

    @Test(arguments: variants) func everySmallShapeAgrees(variant: nexus_gemm_variant) throws {
        for rows in Self.sizes {
            for columns in Self.sizes {
                for terms in Self.sizes { try check(variant, Shape(rows: rows, columns: columns, terms: terms)) }
            }
        }
    }

    @Test(
        arguments: variants,
        [
            Shape(rows: 113, columns: 96, terms: 385), Shape(rows: 225, columns: 33, terms: 100),
            Shape(rows: 257, columns: 65, terms: 401), Shape(rows: 5, columns: 384, terms: 1_536),
            Shape(rows: 14, columns: 31, terms: 1_153), Shape(rows: 300, columns: 1, terms: 769),
        ])
    func largeAndOddShapesAgree(variant: nexus_gemm_variant, shape: Shape) throws {
        try check(variant, shape)
    }

    @Test(arguments: variants) func withoutTermsOnlyTheBiasIsLeft(variant: nexus_gemm_variant) throws {
        var map = LinearMapCase(rows: 3, columns: 5, terms: 0, seed: 1)
        map.bias = [1, 2, 3, 4, 5]
        #expect(try map.run(variant, .none).rows == Array(repeating: [1, 2, 3, 4, 5], count: 3))
    }

    @Test(arguments: variants) func noBiasIsNone(variant: nexus_gemm_variant) throws {
        var without = LinearMapCase(rows: 20, columns: 37, terms: 50, seed: 2)
        without.bias = Array(repeating: 0, count: 37)
        let zero = try without.run(variant, .none).rows
        without.bias = nil
        #expect(try without.run(variant, .none).rows == zero)
    }

    /// What the encoder's independence of batches rests on.
    @Test(arguments: variants) func rowDoesNotDependOnItsNeighbours(variant: nexus_gemm_variant) throws {
        let together = LinearMapCase(rows: 70, columns: 64, terms: 400, seed: 3)
        let rows = try together.run(variant, .gelu).rows
        for row in [0, 1, 13, 14, 31, 32, 69] {
            #expect(try together.row(row).run(variant, .gelu).rows == [rows[row]], "row \(row)")
        }
    }

    /// What sharing out columns among threads rests on.
    @Test(arguments: variants) func groupsOfColumnsMayBeCut(variant: nexus_gemm_variant) throws {
        let whole = LinearMapCase(rows: 9, columns: 96, terms: 45, seed: 4)
        let expected = try whole.run(variant, .none).rows
        #expect(try whole.run(variant, .none, columns: 0..<64).rows == expected.map { Array($0[..<64]) })
        #expect(try whole.run(variant, .none, columns: 64..<96).rows == expected.map { Array($0[64...]) })
    }

    private func check(_ variant: nexus_gemm_variant, _ shape: Shape) throws {
        let seed = UInt64(shape.rows * 1_000_000 + shape.columns * 2_000 + shape.terms)
        let map = LinearMapCase(rows: shape.rows, columns: shape.columns, terms: shape.terms, seed: seed)
        for finish in [nexus_gemm_finish.none, .gelu] {
            let result = try map.run(variant, finish)
            let portable = try map.run(.portable, finish)
            #expect(result.isSurroundingIntact, "\(shape)")
            #expect(map.excess(of: result.rows, variant, finish) <= 1, "\(shape)")
            #expect(map.excess(of: result.rows, variant, finish, over: portable.rows) <= 1, "\(shape)")
        }
    }
}
