import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { Page } from 'playwright-core'
import { englishWords } from '../../../../packages/dashboard/plugin/src/locales/testing/english-words.ts'
import { isolatedText } from '../../../../packages/dashboard/plugin/src/model/message.ts'

const READ: readonly ResourceKind[] = [
  ...[karpenterKinds.NodePool, karpenterKinds.NodeClaim, karpenterKinds.NodeOverlay, karpenterKinds.CapacityBuffer],
  ...[kinds.Node, kinds.Pod, kinds.Event, kinds.PersistentVolumeClaim],
]

/** What somebody else wrote: messages, and all other keys and values of objects. */
interface Written {
  readonly messages: readonly string[]
  readonly words: ReadonlySet<string>
}

const collect = (value: unknown, key: string, messages: Set<string>, words: Set<string>): void => {
  if (typeof value === 'string') {
    if (key === 'message' || key === 'note') messages.add(isolatedText(value))
    else for (const word of englishWords(value)) words.add(word)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [own, each] of Object.entries(value)) {
    if (!Array.isArray(value)) for (const word of englishWords(own)) words.add(word)
    collect(each, Array.isArray(value) ? key : own, messages, words)
  }
}

/** Returns what the objects of the cluster say. It stays as it is in every language. */
export const writtenIn = async (client: KubeClient): Promise<Written> => {
  const messages = new Set<string>()
  const words = new Set<string>()
  for (const kind of READ)
    for (const object of (await client.list(kind)).items as readonly KubeObject[]) collect(object, '', messages, words)
  // A message can contain another one.
  return { messages: [...messages].filter((each) => each !== '').sort((a, b) => b.length - a.length), words }
}

/** Returns the lines in the plugin's part of the page that have English words, with these words. */
export const foreignWords = async (page: Page, { messages, words }: Written): Promise<readonly string[]> => {
  const texts = await page.locator('main .kerf').allInnerTexts()
  const lines = new Set(texts.flatMap((text) => text.split('\n')))
  return [...lines].flatMap((line) => {
    const own = messages.reduce((text, message) => text.replaceAll(message, ' '), line)
    const found = englishWords(own).filter((word) => !words.has(word))
    return found.length === 0 ? [] : [`${found.join(' ')} (in "${own.trim().slice(0, 120)}")`]
  })
}
