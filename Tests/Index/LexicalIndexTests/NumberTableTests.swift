import IndexCore
import IndexTestSupport
import LexicalIndex
import Testing

@Suite struct NumberTableTests {
    /// A thousand keys whose search begins at the same slot of a table with up to 8,192 slots.
    private static let colliding: [RowKey] = {
        var keys: [RowKey] = []
        var number: Int64 = 0
        while keys.count < 1_000 {
            number += 1
            if scatteredBits(of: number) >> 32 & 0x1FFF == 77 { keys.append(RowKey(rawValue: number)) }
        }
        return keys
    }()

    private static let scattered = (1...1_000).map { RowKey(rawValue: $0 * 7_919) }

    @Test(arguments: [colliding, scattered, Array(colliding[..<500] + scattered[..<500])])
    func behavesAsADictionary(keys: [RowKey]) {
        var random = SplitMix64(seed: 3)
        var table = NumberTable<RowKey, Int>()
        var expected: [RowKey: Int] = [:]
        for step in 0..<20_000 {
            // It grows to all keys, shrinks to few and grows again.
            let isGrowing = step / 4_000 % 2 == 0
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            let bits = scatteredBits(of: key.rawValue)
            if Int.random(in: 0..<10, using: &random) < (isGrowing ? 8 : 2) {
                #expect(table.set(key, to: step, bits: bits) == (expected.updateValue(step, forKey: key) == nil))
            } else {
                #expect(table.remove(key, bits: bits) == (expected.removeValue(forKey: key) != nil))
            }
            guard step % 500 == 0 else { continue }
            for key in keys {
                let place = table.place(of: key, bits: scatteredBits(of: key.rawValue))
                #expect(place.map { table[place: $0] } == expected[key])
            }
        }
        #expect(table.count == expected.count)
        var visited: [RowKey: Int] = [:]
        table.forEach { visited[$0] = $1 }
        #expect(visited == expected)
    }

    @Test func roomChangesNothing() {
        var table = NumberTable<RowKey, Int>()
        for number in 1...10 as ClosedRange<Int64> {
            table.set(RowKey(rawValue: number), to: Int(number), bits: scatteredBits(of: number))
            table.reserve(Int(number) * 50)
        }
        for number in 1...10 as ClosedRange<Int64> {
            let place = table.place(of: RowKey(rawValue: number), bits: scatteredBits(of: number))
            #expect(place.map { table[place: $0] } == Int(number))
        }
        #expect(table.place(of: RowKey(rawValue: 11), bits: scatteredBits(of: 11)) == nil)
    }
}
