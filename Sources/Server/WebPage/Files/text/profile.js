import {area} from "./area.js"

export default area("profile", {
  choose: ["Choose a picture", "Bild wählen"],
  change: ["Change the picture", "Bild ändern"],
  remove: ["Remove the picture", "Bild entfernen"],
  pictureHint: [
    "Only its middle is kept, small and without the place where it was taken.",
    "Nur die Mitte wird behalten, klein und ohne den Ort der Aufnahme.",
  ],
  isSet: ["The picture is changed.", "Das Bild ist geändert."],
  isRemoved: ["The picture is removed.", "Das Bild ist entfernt."],
  title: ["What you do", "Was du tust"],
  titleHint: ["For example: Head of operations.", "Zum Beispiel: Leitung Betrieb."],
  zone: ["Time zone that others see", "Zeitzone, die andere sehen"],
  madeBy: ["Made by {name}", "Angelegt von {name}"],
  noZone: ["None", "Keine"],
  save: ["Save", "Speichern"],
  visible: [
    "Everybody on this server sees your profile. Guests see it if you share a conversation.",
    "Alle auf diesem Server sehen dein Profil. Gäste sehen es, wenn ihr eine Unterhaltung teilt.",
  ],
  localTime: ["{time} there now", "dort ist es {time}"],
  "error.unsupported_media_type": ["This file is no picture that can be read. Choose a PNG or JPEG.", "Diese Datei ist kein lesbares Bild. Wähle ein PNG oder JPEG."],
  "error.picture_unreadable": ["The picture is damaged. Choose another one.", "Das Bild ist beschädigt. Wähle ein anderes."],
  "error.picture_too_large": ["The picture is too large. Choose a smaller one.", "Das Bild ist zu groß. Wähle ein kleineres."],
  "error.body_too_large": ["The picture is too large. Choose a smaller one.", "Das Bild ist zu groß. Wähle ein kleineres."],
  "error.pictures_not_configured": [
    "This server cannot read pictures. The people who run it must install poppler-utils.",
    "Dieser Server kann keine Bilder lesen. Wer ihn betreibt, muss poppler-utils installieren.",
  ],
})
