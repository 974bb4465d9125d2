import {area} from "./area.js"

export default area("links", {
  none: [
    "If you write in another chat too, join it with your account: then you read here what you read there.",
    "Wenn du auch in einem anderen Chat schreibst, verbinde ihn mit deinem Konto: Dann liest du hier, was du dort liest.",
  ],
  byCode: ["{name}, joined with a code", "{name}, mit einem Code verbunden"],
  byEmail: ["{name}, joined by your mail address", "{name}, über deine Mailadresse verbunden"],
  since: ["since {when}", "seit {when}"],
  ask: ["Get a code", "Code holen"],
  askAgain: ["Get a new code", "Neuen Code holen"],
  code: ["Write this in {sources}", "Schreib das in {sources}"],
  or: ["or", "oder"],
  codeHint: [
    "It works once, until {time}. In a direct message to Nexus leave out the name. Never write a code that somebody else " +
      "gave you: their account would read what you read.",
    "Das geht einmal, bis {time}. In einer Direktnachricht an Nexus lass den Namen weg. Schreib nie einen Code, den dir " +
      "jemand anders gegeben hat: Dessen Konto würde lesen, was du liest.",
  ],
  copy: ["Copy", "Kopieren"],
  copied: ["Copied.", "Kopiert."],
  joined: ["Joined with {name}.", "Mit {name} verbunden."],
  end: ["End", "Beenden"],
  endOf: ["End the link with {name}", "Verbindung mit {name} beenden"],
  endTitle: ["End the link with {name}?", "Verbindung mit {name} beenden?"],
  endText: [
    "From now on you do not read here what you read in {name}. Nothing is deleted there.",
    "Ab jetzt liest du hier nicht mehr, was du in {name} liest. Dort wird nichts gelöscht.",
  ],
})
