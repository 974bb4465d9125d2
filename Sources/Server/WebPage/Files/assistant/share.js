// Sending an answer to a conversation, with links to the messages that it is based on.
import {link} from "../lib/router.js"
import {t} from "../lib/text.js"
import {sendTo} from "../chat/target.js"
import {marks} from "./citations.js"

// The answer as a message: the numbers of sources lead to their messages, for those who may read them.
export const sharedText = ({question, answer, citations}, origin) => {
  let text = "", end = 0
  for (const {start, end: next, citations: found} of marks(answer, citations)) {
    const links = found.map(({number, conversationId, messageId}) =>
      `[${number}](${origin}/${link("conversation", conversationId, "message", messageId)})`)
    text += answer.slice(end, start) + links.join(" ")
    end = next
  }
  const quoted = question.split("\n").map(line => `> ${line}`).join("\n")
  return `${quoted}\n\n${text}${answer.slice(end)}`
}

export const share = turn => sendTo({
  title: t("assistant.share"), label: t("assistant.shareWhere"), hint: t("assistant.shareHint"), action: t("assistant.shareNow"),
  done: name => t("assistant.shared", {name}), make: () => ({text: sharedText(turn, location.origin)}),
})
