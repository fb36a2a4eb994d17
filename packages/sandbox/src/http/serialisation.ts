import type { ServerResponse } from 'node:http'
import type { KubeObject } from '@kerf/apis'

const texts = new WeakMap<object, string>()

/** Returns the JSON of a stored object. Caches the text for each version of the object. */
export const toJson = (object: KubeObject): string => {
  const known = texts.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  // The text is cached only if the object is frozen, because an unfrozen object could change afterwards.
  if (Object.isFrozen(object)) texts.set(object, text)
  return text
}

/** Yields a list as chunks of text, so that no string ever contains the whole list, which may have fifty thousand objects. */
export const listChunks = function* (head: object, items: readonly KubeObject[]): Generator<string, void, void> {
  let chunk = `${JSON.stringify(head).slice(0, -1)},"items":[`
  for (const [i, item] of items.entries()) {
    chunk += i === 0 ? toJson(item) : `,${toJson(item)}`
    if (chunk.length > 262_144) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}]}\n`
}

/** Resolves when the client has received the written data or has disconnected. */
export const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) {
      resolve()
      return
    }
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
