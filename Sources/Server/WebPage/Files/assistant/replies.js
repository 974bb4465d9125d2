// Suggested replies: up to three texts, when a person asks for them.
import {attempt, toast} from "../lib/dialog.js"
import {t} from "../lib/text.js"
import {openMenu} from "../lib/ui.js"
import {at, call, timeZone} from "./common.js"

let isAsking = false

// Asks for replies to the newest message, and calls choose(text) with the one that is chosen from a menu beside `anchor`.
export const suggestReplies = async (anchor, conversationId, choose) => {
  if (isAsking) return
  isAsking = true
  anchor.setAttribute("aria-busy", "true")
  const path = at("conversations", conversationId, "smart-replies")
  const found = await attempt(() => call("POST", path, {timeZone: timeZone()}))
  isAsking = false
  anchor.setAttribute("aria-busy", "false")
  if (!found || !anchor.isConnected) return
  if (found.replies.length) openMenu(anchor, found.replies.map(text => ({label: text, act: () => choose(text)})))
  else toast(t("assistant.noReplies"))
}
