import type { KubeObject } from '@kerf/apis'

const texts = new WeakMap<object, string>()

/** The JSON of a stored object, made once per version of it. */
export const jsonOf = (object: KubeObject): string => {
  const known = texts.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  // Only what cannot change any more may be remembered.
  if (Object.isFrozen(object)) texts.set(object, text)
  return text
}

/** A list as chunks of text, so that fifty thousand objects never make one string. */
export const listChunks = function* (head: object, items: readonly KubeObject[]): Generator<string, void, void> {
  let chunk = `${JSON.stringify(head).slice(0, -1)},"items":[`
  for (const [i, item] of items.entries()) {
    chunk += i === 0 ? jsonOf(item) : `,${jsonOf(item)}`
    if (chunk.length > 262_144) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}]}\n`
}
