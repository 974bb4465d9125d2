// Sending a message on into another conversation: a quote with a link to the original, and copies of its files.
import {link} from "../lib/router.js"
import {addTexts, dateTime, t} from "../lib/text.js"
import {store} from "../data/store.js"
import texts from "../text/habits.js"
import {sendTo} from "./target.js"

addTexts(texts)

const plain = text => text.replace(/[\\`*_~[\]<>]/g, "\\$&")

// The words as a quote, which mentions nobody, and where they come from.
export const forwardedText = ({id, conversationId, text, senderName, timestamp}, place, origin) => {
  const from = [senderName, place, dateTime(timestamp)].map(plain).join(", ")
  const quoted = text ? `${text.split("\n").map(line => `> ${line}`.trimEnd()).join("\n")}\n\n` : ""
  return `${quoted}[${from}](${origin}/${link("conversation", conversationId, "message", id)})`
}

const copies = files => Promise.all(files.filter(file => file.id).map(async file =>
  new File([await store.fileBlob(file)], file.name, {type: file.mediaType})))

export const forward = (message, place) => sendTo({
  title: t("habits.forward"), label: t("habits.forwardWhere"), hint: t("habits.forwardHint"), action: t("habits.forward"),
  done: name => t("habits.forwarded", {name}), without: message.conversationId,
  make: async () => ({text: forwardedText(message, place, location.origin), files: await copies(message.attachments ?? [])}),
})
