import {area} from "./area.js"

export default area("habits", {
  common: ["Groups that you share", "Gemeinsame Gruppen"],
  day: ["Day", "Tag"],
  discard: ["Discard the draft", "Entwurf verwerfen"],
  dismiss: ["Mark as done", "Als erledigt markieren"],
  drafts: ["Drafts", "Entwürfe"],
  forward: ["Forward", "Weiterleiten"],
  forwardHint: [
    "The text is sent as a message of yours, as a quote with a link to the original. People who cannot read the original can read your copy.",
    "Der Text wird als Nachricht von dir gesendet, als Zitat mit einem Link zum Original. Auch wer das Original nicht lesen darf, liest deine Kopie.",
  ],
  forwarded: ["Forwarded to {name}.", "An {name} weitergeleitet."],
  forwardWhere: ["Conversation", "Unterhaltung"],
  found: [{one: "{count} person found", other: "{count} people found"}, {one: "{count} Person gefunden", other: "{count} Personen gefunden"}],
  go: ["Go", "Los"],
  mentions: ["Mentions", "Erwähnungen"],
  mentionsHint: [
    "Unread mentions and replies from all conversations, then earlier mentions that this browser has stored.",
    "Ungelesene Erwähnungen und Antworten aus allen Unterhaltungen, dann frühere Erwähnungen, die dieser Browser gespeichert hat.",
  ],
  messagesOf: ["Search messages", "Nachrichten suchen"],
  moreCommon: [{one: "and {count} more", other: "and {count} more"}, {one: "und {count} weitere", other: "und {count} weitere"}],
  morePeople: ["There are more people. Type a name to find them.", "Es gibt weitere Personen. Tippe einen Namen, um sie zu finden."],
  new: ["new", "neu"],
  "no.drafts": ["No drafts.", "Keine Entwürfe."],
  "no.mentions": ["Nobody has mentioned you.", "Niemand hat dich erwähnt."],
  "no.threads": ["You have not written in a thread.", "Du hast in keinem Thread geschrieben."],
  noConversation: ["No conversation has this name.", "Keine Unterhaltung heißt so."],
  repliedTo: ["replied to you", "hat dir geantwortet"],
  threads: ["Threads", "Threads"],
  threadsHint: [
    "Threads in which you wrote, if this browser has stored their messages.",
    "Threads, in denen du geschrieben hast, wenn dieser Browser ihre Nachrichten gespeichert hat.",
  ],
  writeTo: ["Write to {name}", "{name} schreiben"],
  you: ["This is you.", "Das bist du."],
})
