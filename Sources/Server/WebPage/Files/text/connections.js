import {area} from "./area.js"

export default area("connections", {
  allRooms: [
    {one: "{count} room", other: "All {count} rooms"},
    {one: "{count} Raum", other: "Alle {count} Räume"},
  ],
  behind: ["Behind by", "Rückstand"],
  connectAgain: ["Connect again", "Wieder verbinden"],
  direct: ["Direct conversation", "Direkte Unterhaltung"],
  disconnect: ["Disconnect and erase", "Trennen und auslöschen"],
  disconnectOf: ["Disconnect {name}?", "{name} trennen?"],
  disconnectText: [
    "Everything that came from {name} is erased for ever: {conversations} conversations with {messages} messages and " +
      "{files} files, what was derived from them, and the names of people who have nothing else here. Nothing is " +
      "deleted in {name}. Earlier backups still contain it.",
    "Alles, was aus {name} kam, wird für immer ausgelöscht: {conversations} Unterhaltungen mit {messages} Nachrichten " +
      "und {files} Dateien, was daraus abgeleitet wurde, und die Namen von Personen, von denen hier sonst nichts ist. " +
      "In {name} wird nichts gelöscht. Frühere Sicherungen enthalten es noch.",
  ],
  disconnectedNow: ["{name} is disconnected.", "{name} ist getrennt."],
  disconnectingHint: [
    "The erasure is not complete. Disconnect again to complete it.",
    "Das Auslöschen ist nicht abgeschlossen. Trenne noch einmal, um es abzuschließen.",
  ],
  endLink: ["End", "Beenden"],
  endLinkOf: ["End the link of {name}?", "Verbindung von {name} beenden?"],
  endLinkText: [
    "The account {user} reads nothing of {name} in {chat} any more, until {name} is joined again with a code.",
    "Das Konto {user} liest nichts mehr von {name} in {chat}, bis {name} wieder mit einem Code verbunden wird.",
  ],
  endedLink: ["The link ended.", "Die Verbindung ist beendet."],
  fails: ["does not work", "funktioniert nicht"],
  files: ["Files that are not here", "Dateien, die nicht hier sind"],
  hint: [
    "Nexus reads the rooms it was invited to in another chat, and answers there. Passwords and tokens are settings on " +
      "the server’s machine: they never pass through this page.",
    "Nexus liest die Räume eines anderen Chats, in die es eingeladen wurde, und antwortet dort. Passwörter und Token " +
      "sind Einstellungen auf dem Rechner des Servers: Sie gehen nie durch diese Seite.",
  ],
  how: ["How to connect {name}", "{name} verbinden"],
  lastEvent: ["Last event", "Letztes Ereignis"],
  leaveOut: ["Leave out", "Auslassen"],
  leaveOutOf: ["Leave out {name}?", "{name} auslassen?"],
  leaveOutText: [
    "Nexus reads nothing of it from now on, does not answer there, and nobody reads it here. What is stored stays " +
      "until you erase it. If you take it in again, all of it is read again.",
    "Nexus liest ab jetzt nichts mehr davon und antwortet dort nicht, und niemand liest es hier. Was gespeichert ist, " +
      "bleibt, bis du es auslöschst. Nimmst du es wieder auf, wird alles neu gelesen.",
  ],
  leftOutCount: ["Left out", "Ausgelassen"],
  leftOutNow: ["The room is left out.", "Der Raum ist ausgelassen."],
  links: ["People joined with accounts", "Mit Konten verbundene Personen"],
  notConnected: ["not connected", "nicht verbunden"],
  notFetched: ["not fetched", "nicht geholt"],
  "note.comparing": ["Stored messages are compared with {name}.", "Gespeicherte Nachrichten werden mit {name} verglichen."],
  "note.noEvents": [
    "No event came over HTTP yet. Check the Request URL of the app, and whether {name} can reach this server.",
    "Noch kam kein Ereignis über HTTP. Prüfe die Request URL der App, und ob {name} diesen Server erreicht.",
  ],
  "note.notLive": [
    "There is no live connection. Messages come when rooms are compared.",
    "Es gibt keine Live-Verbindung. Nachrichten kommen beim Vergleichen der Räume.",
  ],
  "note.removals": [
    "Answers that must go are still shown in {name}: {detail}. Let Nexus delete its messages there, or delete them. " +
      "Nexus tries it once an hour.",
    "Antworten, die weg müssen, stehen noch in {name}: {detail}. Lass Nexus seine Nachrichten dort löschen, oder lösche " +
      "sie. Nexus versucht es einmal in der Stunde.",
  ],
  "note.scopes": [
    "The app lacks {detail}. Add it under OAuth & Permissions, and install the app again.",
    "Der App fehlt {detail}. Füge es unter OAuth & Permissions hinzu und installiere die App neu.",
  ],
  "note.token": [
    "{name} does not know {detail}. Put a new one into the settings, and restart Nexus.",
    "{name} kennt {detail} nicht. Trage ein neues in die Einstellungen ein und starte Nexus neu.",
  ],
  "note.unreachable": [
    "{name} cannot be reached. Stored messages stay, and Nexus tries again.",
    "{name} ist nicht erreichbar. Gespeicherte Nachrichten bleiben, und Nexus versucht es weiter.",
  ],
  pause: ["Pause", "Anhalten"],
  pauseOf: ["Pause {name}?", "{name} anhalten?"],
  pauseText: [
    "Nexus neither reads nor answers in {name} until you resume, also after a restart. What is stored stays readable. " +
      "People who leave a room meanwhile read what is stored until you resume.",
    "Nexus liest und antwortet in {name} nicht, bis du fortsetzt, auch nach einem Neustart. Was gespeichert ist, bleibt " +
      "lesbar. Wer inzwischen einen Raum verlässt, liest das Gespeicherte, bis du fortsetzt.",
  ],
  pausedNow: ["Paused.", "Angehalten."],
  pausedSince: [
    "Paused since {date}: nothing is read or answered. Who leaves a room is noticed after you resume.",
    "Angehalten seit {date}: Nichts wird gelesen oder beantwortet. Wer einen Raum verlässt, wird erst danach bemerkt.",
  ],
  read: ["Read", "Gelesen"],
  "reason.deleted": ["deleted before", "vorher gelöscht"],
  "reason.empty": ["without text", "ohne Text"],
  "reason.encrypted": ["encrypted", "verschlüsselt"],
  "reason.file_too_large": ["too large", "zu groß"],
  "reason.foreign": ["changes of others’ messages", "Änderungen fremder Nachrichten"],
  "reason.gone": ["gone", "nicht mehr da"],
  "reason.no_room": ["no room", "kein Platz"],
  "reason.refused": ["refused", "abgelehnt"],
  "reason.replaced": ["written after an upgrade", "nach einem Upgrade geschrieben"],
  "reason.source_away": ["not reachable", "nicht erreichbar"],
  "reason.unsupported": ["not understood", "nicht verstanden"],
  resume: ["Resume", "Fortsetzen"],
  resumedNow: ["Nexus reads what it missed.", "Nexus liest, was es verpasst hat."],
  room: ["Room", "Raum"],
  "room.complete": ["read to the beginning", "bis zum Anfang gelesen"],
  "room.continued": ["continued in another room", "in anderem Raum fortgesetzt"],
  "room.erased": ["erased, not read again", "ausgelöscht, wird nicht mehr gelesen"],
  "room.left": ["Nexus was removed, nobody reads it", "Nexus wurde entfernt, niemand liest es"],
  "room.leftOut": ["left out, nobody reads it", "ausgelassen, niemand liest es"],
  "room.reading": ["reading history", "liest den Verlauf"],
  rooms: ["Rooms", "Räume"],
  "state.active": ["connected", "verbunden"],
  "state.disconnected": ["disconnected", "getrennt"],
  "state.disconnecting": ["being disconnected", "wird getrennt"],
  "state.paused": ["paused", "angehalten"],
  "step.homeserver": [
    "Add this to homeserver.yaml, and restart the homeserver.",
    "Trage das in homeserver.yaml ein, und starte den Homeserver neu.",
  ],
  "step.invite": [
    "Invite the user of Nexus to a room.", "Lade den Benutzer von Nexus in einen Raum ein."],
  "step.registration": [
    "Write nexus-registration.yaml on the homeserver’s machine. url is where it reaches this server.",
    "Schreibe nexus-registration.yaml auf dem Rechner des Homeservers. Unter url erreicht er diesen Server.",
  ],
  "step.secrets": [
    "Make two secrets, as_token and hs_token, each in a file that only Nexus can read.",
    "Erzeuge zwei Geheimnisse, as_token und hs_token, jedes in einer Datei, die nur Nexus liest.",
  ],
  "step.start": ["Restart Nexus with these settings.", "Starte Nexus mit diesen Einstellungen neu."],
  "step.account": [
    "Integrations → Bot Accounts → Add Bot Account: user name nexus, role Member. Put its token into a file that only " +
      "Nexus can read, and invite the bot to each team.",
    "Integrationen → Bot-Konten → Bot-Konto hinzufügen: Benutzername nexus, Rolle Mitglied. Lege sein Token in eine " +
      "Datei, die nur Nexus liest, und lade den Bot in jedes Team ein.",
  ],
  "step.app": [
    "api.slack.com/apps → Create New App → From a manifest: choose your workspace, and paste this.",
    "api.slack.com/apps → Create New App → From a manifest: Wähle deinen Workspace, und füge das ein.",
  ],
  "step.tokens": [
    "Basic Information → App-Level Tokens → Generate, with connections:write: xapp-…. Install App: xoxb-…. Put each into " +
      "a file that only Nexus can read.",
    "Basic Information → App-Level Tokens → Generate, mit connections:write: xapp-…. Install App: xoxb-…. Lege jedes in " +
      "eine Datei, die nur Nexus liest.",
  ],
  "step.type": ["Type this in a channel.", "Gib das in einem Kanal ein."],
  stored: ["Stored", "Gespeichert"],
  takeIn: ["Take in again", "Wieder aufnehmen"],
  takenInNow: ["The room is read again.", "Der Raum wird neu gelesen."],
  toFetch: ["to fetch", "zu holen"],
  waitingUntil: ["Waiting until {time}, as {name} asks.", "Wartet bis {time}, wie {name} verlangt."],
  works: ["works", "funktioniert"],
  "way.code": ["joined with a code", "mit einem Code verbunden"],
  "way.email": ["joined by the mail address", "über die Mailadresse verbunden"],
})
