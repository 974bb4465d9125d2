export default {
  en: {
    "shell.close": "Close",
    "shell.cancel": "Cancel",
    "shell.reload": "Reload",
    "shell.partMissing": "This part of the page could not be loaded.",
    "shell.newMessages": {one: "{count} new message", other: "{count} new messages"},
  },
  de: {
    "shell.close": "Schließen",
    "shell.cancel": "Abbrechen",
    "shell.reload": "Neu laden",
    "shell.partMissing": "Dieser Teil der Seite konnte nicht geladen werden.",
    "shell.newMessages": {one: "{count} neue Nachricht", other: "{count} neue Nachrichten"},
  },
}
