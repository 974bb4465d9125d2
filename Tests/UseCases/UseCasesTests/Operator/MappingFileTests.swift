import ChatCore
import Testing
import UseCases

struct MappingFileTests {
    @Test func readsAuthorsByAddressAndById() throws {
        #expect(
            try MappingFile.read("email,userId\n\"ada@example.org\",ada.l\n") == [
                UserMapping(place: "line 2", email: "ada@example.org", userID: "ada.l")
            ])
        #expect(
            try MappingFile.read("userId,source,externalId,conversation\nbob,slack,U2,\neve,slack,U3,pier\n") == [
                UserMapping(place: "line 2", source: "slack", externalID: "U2", userID: "bob"),
                UserMapping(place: "line 3", source: "slack", externalID: "U3", conversation: "pier", userID: "eve"),
            ])
    }

    @Test func namesEachWrongLine() {
        #expect(
            throws: OperatorFailure(
                message: "nothing was mapped\n  line 2: 1 columns instead of 2\n"
                    + "  line 3: a value is empty or not a valid id")
        ) {
            try MappingFile.read("email,userId\nada\n,bob\nada@example.org,ada\n")
        }
    }

    @Test func needsALineWithTheColumns() {
        #expect(throws: OperatorFailure(message: "the file is empty")) { try MappingFile.read("\n") }
        #expect(
            throws: OperatorFailure(
                message: "line 1 must name the columns source,externalId,userId (and conversation) or email,userId")
        ) {
            try MappingFile.read("name,user\nada,bob\n")
        }
    }
}
