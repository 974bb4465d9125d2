/// Arithmetic on numbers that came from outside (a request, a file, a service's reply).
///
/// Swift's operators trap on overflow, and a trap ends the server. Numbers from outside go through these functions,
/// which return nil instead; `scripts/check-arithmetic` (part of `make lint`) looks for the plain operators.
extension FixedWidthInteger {
    /// Returns the sum, or nil when it does not fit.
    public func adding(_ other: Self) -> Self? {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? nil : sum
    }

    /// Returns the difference, or nil when it does not fit.
    public func subtracting(_ other: Self) -> Self? {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? nil : difference
    }

    /// Returns the product, or nil when it does not fit.
    public func multiplied(by other: Self) -> Self? {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? nil : product
    }

    /// Returns the sum, or the nearest value that fits.
    public func addingClamped(_ other: Self) -> Self {
        adding(other) ?? (other < 0 ? .min : .max)
    }

    /// Returns the difference, or the nearest value that fits.
    public func subtractingClamped(_ other: Self) -> Self {
        subtracting(other) ?? (other < 0 ? .max : .min)
    }

    /// Returns the product, or the nearest value that fits.
    public func multipliedClamped(by other: Self) -> Self {
        multiplied(by: other) ?? ((self < 0) == (other < 0) ? .max : .min)
    }

    /// Returns the value when it lies in `range`, otherwise nil.
    public func within(_ range: ClosedRange<Self>) -> Self? {
        range.contains(self) ? self : nil
    }
}

extension BinaryFloatingPoint {
    /// Returns the value as an integer, rounded toward zero, or nil for NaN, infinities and values that do not fit.
    public func truncated<Whole: FixedWidthInteger>(to type: Whole.Type = Whole.self) -> Whole? {
        Whole(exactly: rounded(.towardZero))
    }
}
