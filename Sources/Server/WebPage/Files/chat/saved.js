// Messages that the person saved: nobody else sees them.
import {toast} from "../lib/dialog.js"
import {addTexts, t} from "../lib/text.js"
import {store} from "../data/store.js"
import texts from "../text/habits.js"

addTexts(texts)
// What this page has seen to be saved, for the menu of a message; the server knows all.
store.saved ??= new Set()
export const savedKey = ({conversationId, id}) => JSON.stringify([store.session.user?.id, conversationId, id])
export const savedPath = ({conversationId, id}) => `/v1/conversations/${encodeURIComponent(conversationId)}/messages/${encodeURIComponent(id)}/saved`

export const endSaving = async message => {
  await store.api.request("DELETE", savedPath(message))
  store.saved.delete(savedKey(message))
}
export const toggleSaved = async message => {
  if (store.saved.has(savedKey(message))) {
    await endSaving(message)
    return toast(t("habits.notSaved"))
  }
  await store.api.request("PUT", savedPath(message))
  store.saved.add(savedKey(message))
  toast(t("habits.wasSaved"))
}
export const savedMessages = async before => {
  const page = await store.api.request("GET", "/v1/saved", {query: {limit: 50, before}})
  for (const {message} of page.messages) store.saved.add(savedKey(message))
  return page
}
