import { ownValue, setOwnValue } from '@kerf/apis'
import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import { resolveScalar, resolveTagged } from './yaml-scalar.ts'

/** A key that occurs more than once in a mapping. The last value applies. */
export interface RepeatedKey {
  readonly key: string
  /** Position of the repeated key, as an offset into the text. */
  readonly at: number
}

export interface ComposedDocument {
  /** `undefined` if the document is empty. */
  readonly value: unknown
  readonly repeated: readonly RepeatedKey[]
  /** Whether the document uses aliases. */
  readonly hasAliases: boolean
}

/** Content that cannot be converted to a value. */
export class ComposeError extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const ABSENT = -1

type Content = Exclude<Event, { readonly type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Builds the value of a document from its events, in the same way as go-yaml v2. */
class Composer {
  readonly repeated: RepeatedKey[] = []
  hasAliases = false
  readonly #events: readonly Event[]
  readonly #text: string
  readonly #anchors = new Map<string, unknown>()
  /** Anchors of the collections that contain the current event. */
  readonly #open = new Set<string>()
  #next: number

  constructor(events: readonly Event[], first: number, text: string) {
    this.#events = events
    this.#next = first
    this.#text = text
  }

  /** Returns the value that starts at the next event. Returns `undefined` at the end of a collection or document. */
  content(): { readonly value: unknown; readonly event: Content } | undefined {
    const event = this.#events[this.#next++]
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) return undefined
    return { value: this.#value(event), event }
  }

  #value(event: Content): unknown {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#anchored(event, this.#scalar(event))
      case EVENT_ID.ALIAS: {
        const name = this.#text.slice(event.anchorStart, event.anchorEnd)
        if (this.#open.has(name)) throw new ComposeError(`anchor "${name}" contains itself`, event.anchorStart)
        if (!this.#anchors.has(name)) throw new ComposeError(`unidentified alias "${name}"`, event.anchorStart)
        this.hasAliases = true
        return this.#anchors.get(name)
      }
      case EVENT_ID.SEQUENCE:
        return this.#inside(event, () => this.#sequence())
      case EVENT_ID.MAPPING:
        return this.#inside(event, () => this.#mapping())
    }
  }

  #inside<T>(event: Exclude<Content, { readonly type: typeof EVENT_ID.ALIAS }>, compose: () => T): T {
    const name = event.anchorStart === ABSENT ? undefined : this.#text.slice(event.anchorStart, event.anchorEnd)
    if (name !== undefined) this.#open.add(name)
    const value = compose()
    if (name !== undefined) this.#open.delete(name)
    return this.#anchored(event, value)
  }

  #anchored<T>({ anchorStart, anchorEnd }: { readonly anchorStart: number; readonly anchorEnd: number }, value: T): T {
    if (anchorStart !== ABSENT) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), value)
    return value
  }

  #scalar(event: ScalarEvent): unknown {
    const text = getScalarValue(this.#text, event)
    if (event.tagStart === ABSENT && event.style !== SCALAR_STYLE.PLAIN) return text
    const tag = event.tagStart === ABSENT ? undefined : this.#text.slice(event.tagStart, event.tagEnd)
    const value = tag === undefined ? resolveScalar(text) : resolveTagged(tag, text)
    if (value === undefined) throw new ComposeError(`cannot decode "${text}" as a ${tag}`, event.tagStart)
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new ComposeError(`${text} is a number that JSON cannot represent`, event.valueStart)
    return value
  }

  #sequence(): unknown[] {
    const items: unknown[] = []
    for (let item = this.content(); item !== undefined; item = this.content()) items.push(item.value)
    return items
  }

  #mapping(): Record<string, unknown> {
    const map: Record<string, unknown> = {}
    const own = new Set<string>()
    for (let key = this.content(); key !== undefined; key = this.content()) {
      const at = 'start' in key.event ? key.event.start : 'valueStart' in key.event ? key.event.valueStart : 0
      const value = this.content()?.value
      if (key.value === '<<' && key.event.type === EVENT_ID.SCALAR && key.event.style === SCALAR_STYLE.PLAIN) {
        this.#merge(map, value, at)
        continue
      }
      const name = this.#keyOf(key.value, at)
      if (own.has(name)) this.repeated.push({ key: name, at })
      own.add(name)
      setOwnValue(map, name, value)
    }
    return map
  }

  #keyOf(key: unknown, at: number): string {
    if (typeof key === 'string') return key
    if (typeof key === 'boolean' || typeof key === 'number') return String(key)
    throw new ComposeError('the key of a mapping must be a string, a number or a boolean', at)
  }

  /** Merges `source` into `map`. Like go-yaml v2, and unlike YAML's own rule, merged keys replace earlier keys of the mapping. */
  #merge(map: Record<string, unknown>, source: unknown, at: number): void {
    const sources = Array.isArray(source) ? source.toReversed() : [source]
    for (const each of sources) {
      if (!isObject(each)) throw new ComposeError('map merge requires map or sequence of maps as the value', at)
      for (const key of Object.keys(each)) setOwnValue(map, key, ownValue(each, key))
    }
  }
}

/**
 * Returns the first document of the events. Like go-yaml, it ignores all further documents.
 *
 * @throws ComposeError if the content has no value
 */
export const composeDocument = (events: readonly Event[], text: string): ComposedDocument => {
  const composer = new Composer(events, 1, text)
  const value = composer.content()?.value
  return { value, repeated: composer.repeated, hasAliases: composer.hasAliases }
}
