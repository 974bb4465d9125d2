/// Spreads the bits of a key evenly; different keys keep different results.
///
/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195), a bijection.
@inlinable package func scatteredBits(of value: Int64) -> UInt64 {
    var bits = UInt64(bitPattern: value) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
}
