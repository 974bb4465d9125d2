import ChatCore
import Foundation
import HTTPAPI
import Testing

/// Bodies of requests: the forms in which clients send times and numbers.
@Suite("Fuzz: requests") struct WireFuzzTests {
    private static let bodies = [
        #"{"data":{"conversationId":"c","messageId":"m","senderId":"ben","text":"x","timestamp":{"_seconds":1761210000,"_nanoseconds":123000000}}}"#,
        #"{"data":{"conversationId":"c","senderId":"ben","text":"x","timestamp":{"seconds":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"1761210000"},"nanoseconds":5}}}"#,
        #"{"data":{"senderId":"ben","text":"x","timestamp":1761210000123}}"#,
        #"{"data":{"senderId":"ben","text":"x","timestamp":"2025-10-23T10:30:00.5+02:00"}}"#,
        #"{"data":{"question":"q","topK":5,"from":"2025-01-01T00:00:00Z","to":1761210000123,"senderIds":["a"],"conversationIds":["c"],"timeZone":"UTC","conversationHistory":[{"question":"a","answer":"b"}]}}"#,
        #"{"data":{"mapValue":{"fields":{"n":{"integerValue":"5"},"d":{"doubleValue":0.5},"t":{"timestampValue":"2025-01-01T00:00:00Z"},"a":{"arrayValue":{"values":[{"integerValue":7},{"referenceValue":"a/b"}]}}}}}}"#,
    ]

    @Test func noBodyEndsTheReading() throws {
        var chance = FuzzRun.chance(3)
        let mutations = try Self.bodies.map { try JSONMutation($0) }
        let count = FuzzRun.count(4_000)
        var read = 0
        for _ in 0..<count {
            let body = chance.one(of: mutations).text(&chance)
            FuzzRun.note(body)
            if ReadBody.reads(Array(body.utf8)) { read += 1 }
        }
        FuzzRun.finished("requests", count)
        #expect(read > count / 20)
    }
}
