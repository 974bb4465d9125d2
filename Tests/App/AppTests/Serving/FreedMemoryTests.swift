import App
import Testing

/// Memory that was freed goes back to the system.
@Suite struct FreedMemoryTests {
    @Test func givesFreedBlocksBackThatOthersHoldInTheirPlaces() async throws {
        // Blocks below the size that the allocator maps alone; one in a hundred stays in use.
        let size = 64 << 10
        let blocks = (0..<3_200).map { _ in
            let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            block.initializeMemory(as: UInt8.self, repeating: 1, count: size)
            return block
        }
        for (place, block) in blocks.enumerated() where !place.isMultiple(of: 100) { block.deallocate() }
        let before = try #require(FreedMemory.residentBytes)

        await FreedMemory.trim()

        let after = try #require(FreedMemory.residentBytes)
        for (place, block) in blocks.enumerated() where place.isMultiple(of: 100) { block.deallocate() }
        #expect(before - after > 100 << 20)
    }
}
