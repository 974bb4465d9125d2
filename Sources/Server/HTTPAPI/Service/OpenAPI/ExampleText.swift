/// The values of fields in examples, by field name.
enum ExampleText {
    private static let texts = [
        "question": "When does the pilot go live?", "query": "pilot go-live date",
        "answer": "The pilot goes live on 8 October [1].",
        "text": "The pilot goes live on 8 October.", "excerpt": "The pilot goes live on 8 October.",
        "content": "When does the pilot go live?", "message": "The pilot goes live", "quote": "goes live on 8 October",
        "input": "The pilot goes live on 8 October.", "task": "Prepare the pilot", "what": "Pilot goes live",
        "decision": "The pilot goes live on 8 October.", "title": "Pilot", "name": "Ada Lovelace",
        "senderName": "Ada Lovelace", "assignee": "Ada Lovelace", "person": "Ada Lovelace",
        "whose": "Ada Lovelace", "decidedBy": "Ada Lovelace", "conversationName": "Harbor pilot",
        "aliases": "ada", "senderId": "ada", "senderIds": "ada", "userId": "ada", "userIds": "ada",
        "assigneeId": "ada", "personId": "ada", "whoseId": "ada", "decidedById": "ada", "user": "ada",
        "conversationId": "harbor", "conversationIds": "harbor", "conversation": "harbor",
        "messageId": "m-17", "promptMessageIds": "m-17", "member": "ada", "thread": "t-1", "threadId": "t-1",
        "turn": "b2c4", "turnId": "b2c4", "item": "i-1", "model": "nexus", "timeZone": "Europe/Berlin",
        "url": "https://chat.example.com/c/harbor/m/m-17", "emoji": "👍", "replies": "Sounds good.",
        "project": "my-project", "region": "europe-west1", "method": "tools/list", "status": "OK",
        "due": "2026-10-08T21:59:59.000Z", "deadline": "2026-10-08T21:59:59.000Z",
    ]

    /// Returns a text for a field.
    static func text(for name: String, isTime: Bool) -> String {
        if let text = texts[name], !isTime || text.hasPrefix("20") { return text }
        return isTime ? "2026-10-01T09:30:00.000Z" : "example"
    }
}
