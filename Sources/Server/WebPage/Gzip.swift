import CArchive

/// The compression that browsers know.
package enum Gzip {
    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - level: How much time is spent, 1...9.
    ///   - comment: What the head says besides, in ASCII; nobody reads it.
    /// - Returns: The compressed bytes; nil if zlib has no memory.
    package static func compressed(_ content: [UInt8], level: Int32 = 9, comment: String? = nil) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for the head of gzip.
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var comment = Array((comment ?? "").utf8) + [0]
        return comment.withUnsafeMutableBufferPointer { comment in
            var head = gz_header()
            // Unknown.
            head.os = 255
            if comment.count > 1 { head.comment = comment.baseAddress }
            return withUnsafeMutablePointer(to: &head) { head in
                deflateSetHeader(&stream, head)
                return deflated(content, &stream)
            }
        }
    }

    private static func deflated(_ content: [UInt8], _ stream: inout z_stream) -> [UInt8]? {
        var input = content
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(input.count))))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output -> Int? in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : nil
            }
        }
        return count.map { Array(output[..<$0]) }
    }
}
