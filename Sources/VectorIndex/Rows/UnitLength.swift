/// Checks of vectors, and the sums in double precision that every length and every final score goes through.
extension RowLayout {
    /// The factor that makes a vector's length 1.
    ///
    /// - Parameter vector: What a caller gave.
    /// - Returns: 1 / length; finite and above zero.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/notFinite(component:)``,
    ///   ``VectorIndexError/zeroVector``.
    func unitScale(of vector: [Float]) throws(VectorIndexError) -> Double {
        guard vector.count == dimensions else {
            throw .dimensionMismatch(expected: dimensions, got: vector.count)
        }
        // Squares of Float neither overflow nor vanish in Double: the sum is finite if every component is.
        let square = vector.withUnsafeBufferPointer { preciseDot($0, $0) }
        guard square.isFinite else {
            throw .notFinite(component: vector.firstIndex { !$0.isFinite } ?? 0)
        }
        let length = square.squareRoot()
        guard length >= Double(Float.leastNormalMagnitude) else { throw .zeroVector }
        return 1 / length
    }

    /// The final score of a row: the same bits for the same two vectors wherever the row lies, in -1...1.
    ///
    /// BLAS sums in an order that depends on a row's position in its block, so its last bits must not decide ties.
    func finalScore(_ row: UnsafePointer<Float>, _ query: UnsafePointer<Float>) -> Float {
        let rowComponents = UnsafeBufferPointer(start: row, count: dimensions)
        let queryComponents = UnsafeBufferPointer(start: query, count: dimensions)
        return min(1, max(-1, Float(preciseDot(rowComponents, queryComponents))))
    }
}

/// Sums products in four fixed lanes of doubles.
func preciseDot(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) -> Double {
    var (lane0, lane1, lane2, lane3) = (0.0, 0.0, 0.0, 0.0)
    var index = 0
    while index + 4 <= left.count {
        lane0 += Double(left[index]) * Double(right[index])
        lane1 += Double(left[index + 1]) * Double(right[index + 1])
        lane2 += Double(left[index + 2]) * Double(right[index + 2])
        lane3 += Double(left[index + 3]) * Double(right[index + 3])
        index += 4
    }
    while index < left.count {
        lane0 += Double(left[index]) * Double(right[index])
        index += 1
    }
    return (lane0 + lane1) + (lane2 + lane3)
}
