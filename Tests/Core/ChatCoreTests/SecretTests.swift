import ChatCore
import Testing

@Suite struct SecretTests {
    @Test func equalSecretsAreTheSame() {
        #expect(isSameSecret([], []))
        for count in 1...64 {
            let secret = randomBytes(count)
            #expect(isSameSecret(secret, secret))
        }
    }

    @Test func noBitMayDiffer() {
        let secret = randomBytes(32)
        for place in 0..<32 {
            for bit in 0..<8 {
                var other = secret
                other[place] ^= 1 << bit
                #expect(!isSameSecret(secret, other) && !isSameSecret(other, secret), "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test func aDifferenceIsNotForgottenByTheBytesAfterIt() {
        // All pairs of two bytes in which the last is equal, has more bits or has fewer.
        for first in UInt8.min...UInt8.max {
            for last in UInt8.min...UInt8.max {
                let isSame = isSameSecret([first, last], [0x5A, 0xFF])
                #expect(isSame == (first == 0x5A && last == 0xFF), "\(first) \(last)")
            }
        }
    }

    @Test func guessesAreNeverTheSecret() {
        let secret = randomBytes(32)
        for _ in 0..<20_000 where isSameSecret(secret, randomBytes(32)) {
            Issue.record("a random guess was taken for the secret")
        }
    }

    @Test func anotherLengthIsNotTheSame() {
        #expect(!isSameSecret([1, 2], [1, 2, 0]) && !isSameSecret([1, 2, 0], [1, 2]) && !isSameSecret([], [0]))
    }
}
