import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { Page } from 'playwright-core'
import { englishWords } from '../../../../packages/dashboard/plugin/src/locales/testing/english-words.ts'
import { isolatedText } from '../../../../packages/dashboard/plugin/src/model/message.ts'
import { dashboardCases } from '../../../support/dashboard-cases.ts'
import { otherKinds } from './odd-objects.ts'

const READ: readonly ResourceKind[] = [
  ...[karpenterKinds.NodePool, karpenterKinds.NodeClaim, kinds.Node, kinds.Pod, kinds.Event],
  ...otherKinds,
]

/**
 * Lines that Headlamp writes itself. Headlamp has no Ukrainian translation, and its own language is not set here. The tests of the
 * catalogues check that the plugin's titles are translated.
 */
const OF_HEADLAMP: ReadonlySet<string> = new Set([
  ...['Actions', 'Age', 'Back', 'Conditions', 'Creation', 'Labels', 'Name', 'Namespace', 'Namespaces'],
  ...['No data to be shown.', 'Rows per page', 'Rows per page:'],
])
const PAGE_OF_HEADLAMP = /^\d+[–-]\d+ of \d+$/
/** Matches a position in a list, such as `[0].` in the path `[0].alias`. The other words of a path are names of fields. */
const POSITION = /\[\d+\]\.?/g

/** Values of the metrics label `reason`. They are names of the controller's methods. */
const METHODS: ReadonlySet<string> = new Set([
  'drift',
  'emptiness',
  'multi-node',
  'single-node',
  'sleep',
  'static-drift',
])

/** Text that Kerf does not write: messages, and all other keys and values of objects. */
interface Written {
  readonly messages: readonly string[]
  readonly words: ReadonlySet<string>
}

const collect = (value: unknown, key: string, messages: Set<string>, words: Set<string>): void => {
  if (typeof value === 'string') {
    if (key === 'message' || key === 'note') messages.add(isolatedText(value))
    // A page can show the last segment of a path, for example the name of an image.
    else for (const word of englishWords(`${value} ${value.replaceAll('/', ' ')}`)) words.add(word)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [own, each] of Object.entries(value)) {
    if (!Array.isArray(value)) for (const word of englishWords(own)) words.add(word)
    collect(each, Array.isArray(value) ? key : own, messages, words)
  }
}

/** Returns the text of the cluster's objects. It is the same in every language. */
export const writtenIn = async (client: KubeClient): Promise<Written> => {
  const messages = new Set<string>()
  const words = new Set<string>()
  for (const kind of READ)
    for (const object of (await client.list(kind)).items as readonly KubeObject[]) collect(object, '', messages, words)
  for (const { example } of await dashboardCases()) collect(example, '', messages, words)
  // A page can show only a part of a message. Messages of one word are left out, because such a word is a name.
  const parts = [...messages].flatMap((each) => [each, ...each.split(/[;,.] |\.$/)])
  return { messages: parts.filter((each) => each.includes(' ')).sort((a, b) => b.length - a.length), words }
}

/** Returns the lines in the plugin's part of the page that have English words, with these words. */
export const foreignWords = async (page: Page, { messages, words }: Written): Promise<readonly string[]> => {
  const texts = await page.locator('main .kerf').allInnerTexts()
  const lines = new Set(texts.flatMap((text) => text.split('\n')))
  return [...lines].flatMap((line) => {
    if (OF_HEADLAMP.has(line.trim()) || PAGE_OF_HEADLAMP.test(line.trim())) return []
    const own = messages.reduce((text, message) => text.replaceAll(message, ' '), line).replaceAll(POSITION, ' ')
    const found = englishWords(own).filter((word) => !words.has(word) && !METHODS.has(word))
    return found.length === 0 ? [] : [`${found.join(' ')} (in "${own.trim().slice(0, 120)}")`]
  })
}

/**
 * Returns the messages in the plugin's part of the page if the page has no note that messages are in English. `note` is the text of this
 * note.
 */
export const messagesWithoutNote = async (
  page: Page,
  { messages }: Written,
  note: string,
): Promise<readonly string[]> => {
  const text = (await page.locator('main .kerf').allInnerTexts()).join('\n')
  return text.includes(note) ? [] : messages.filter((message) => text.includes(message))
}
