// Sending an answer to a conversation, with links to the messages that it is based on.
import {link} from "../lib/router.js"
import {t} from "../lib/text.js"
import {sendTo} from "../chat/target.js"
import {marks} from "./citations.js"

// The answer as a message: the numbers of sources lead to their messages, for those who may read them.
export const share = turn => sendTo({
  title: t("assistant.share"), label: t("assistant.shareWhere"), hint: t("assistant.shareHint"), action: t("assistant.shareNow"),
  done: name => t("assistant.shared", {name}), make: () => ({text: sharedText(turn, location.origin)}),
})
