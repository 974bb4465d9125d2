import ChatCore
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing

/// Times as clients of callable functions send them, up to the ends of 64 bits.
struct CallableTimeTests {
    private static func data(_ time: String) -> String {
        #"{"data":{"conversationId":"team","messageId":"m1","text":"hello","senderId":"ben","timestamp":\#(time)}}"#
    }

    private static func wrapped(_ number: String, _ type: String = "Int64Value") -> String {
        #"{"@type":"type.googleapis.com/google.protobuf.\#(type)","value":"\#(number)"}"#
    }

    static let extremes = [
        "-9223372036854775808", "-9223372036854775807", "9223372036854775807", "9223372036854775808", "1e300", "-1e300",
        "9223372036854775.8", "-9223372036854776", "9223372036854776", "1000000000000", "-1000000000000",
        wrapped("-9223372036854775808"), wrapped("9223372036854775807"), wrapped("18446744073709551615", "UInt64Value"),
    ]

    @Test(arguments: extremes) func anExtremeIsRefusedAndTheServerGoesOn(number: String) async throws {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            let times = [
                number, #"{"_seconds":\#(number)}"#, #"{"seconds":\#(number),"nanoseconds":0}"#,
                #"{"_seconds":\#(number),"_nanoseconds":\#(number)}"#, #"{"_seconds":1,"_nanoseconds":\#(number)}"#,
            ]
            // A number alone counts milliseconds.
            let isMilliseconds = number.hasSuffix("1000000000000")
            for (place, time) in times.enumerated() where place > 0 || !isMilliseconds {
                let reply = try await server.send("POST", "/embedNewMessage", Self.data(time))
                #expect(reply.status == 400, "\(time)")
            }

            #expect(try await server.store.teamMessages().isEmpty)
        }
    }

    static let whole: [(String, Int64)] = [
        (#"{"_seconds":-1,"_nanoseconds":999999999}"#, -1), (#"{"_seconds":0}"#, 0),
        (#"{"_seconds":1,"_nanoseconds":null}"#, 1_000_000), (#"{"_seconds":1,"_nanoseconds":1999}"#, 1_000_001),
        (#"{"seconds":\#(wrapped("253402300799")),"nanoseconds":0}"#, 253_402_300_799_000_000),
    ]

    @Test(arguments: whole) func aTimeInSecondsAndNanosecondsIsKeptToTheMicrosecond(time: String, microseconds: Int64)
        async throws
    {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)

            let reply = try await server.send("POST", "/embedNewMessage", Self.data(time))

            #expect(reply.status == 200, "\(reply.text)")
            #expect(try await server.store.teamMessages().first?.timestamp.microseconds == microseconds)
        }
    }
}
