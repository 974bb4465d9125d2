/// Undoes what mails do to bytes on their way (RFC 2045).
enum TransferEncoding {
    /// Returns the bytes of a body.
    static func decoded(_ body: ArraySlice<UInt8>, _ name: String) -> ArraySlice<UInt8> {
        switch name {
        case "base64": base64(body)[...]
        case "quoted-printable": quotedPrintable(body)[...]
        default: body
        }
    }

    /// Decodes base64; other signs are passed over, also those behind padding.
    static func base64(_ source: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(source.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in source {
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            case UInt8(ascii: "="):
                // The next group begins.
                (bits, count) = (0, 0)
                continue
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return result
    }

    /// Decodes quoted-printable; what is no code stays as it is.
    static func quotedPrintable(_ source: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var rest = source
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            result += rest[..<equals]
            rest = rest[(equals + 1)...]
            if let byte = hexadecimal(rest.prefix(2)) {
                result.append(byte)
                rest = rest.dropFirst(2)
            } else if let end = softEnd(of: rest) {
                rest = rest[end...]
            } else {
                result.append(UInt8(ascii: "="))
            }
        }
        return result + rest
    }

    /// The byte that two digits name; nil if they are none.
    static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        var value: UInt8 = 0
        guard digits.count == 2 else { return nil }
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | (digit - 0x30)
            case 0x41...0x46, 0x61...0x66: value = value << 4 | ((digit | 0x20) - 0x61 + 10)
            default: return nil
            }
        }
        return value
    }

    /// The place behind a line end that only divides the line for the way; nil for other text.
    private static func softEnd(of rest: ArraySlice<UInt8>) -> Int? {
        let space = rest.prefix(80).prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if space.endIndex == rest.endIndex { return rest.endIndex }
        return rest[space.endIndex] == 0x0A ? space.endIndex + 1 : nil
    }
}
