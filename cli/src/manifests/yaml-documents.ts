import { CORE_SCHEMA, constructFromEvents, EVENT_ID, type Event, mergeTag, parseEvents, YAMLException } from 'js-yaml'

/** The content of one document of a YAML text, and the line where it begins, counted from 1. */
export interface YamlDocument {
  readonly value: unknown
  readonly line: number
}

/** A text that is no YAML, and where: line and column count from 1. */
export class YamlError extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, line: number, column: number) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** kubectl and its kind write merge keys into no file, but people do. */
const schema = CORE_SCHEMA.withTags(mergeTag)

/** How many values a document may have once its aliases are written out; a snapshot of 5,000 nodes has some ten million. */
const MOST_VALUES = 100_000_000

/** How many values it takes to write this one out, each alias again. */
const valuesIn = (value: unknown, known: Map<object, number>): number => {
  if (typeof value !== 'object' || value === null) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  // An alias inside of what it names would be endless.
  known.set(value, Number.POSITIVE_INFINITY)
  let count = 1
  for (const item of Object.values(value)) count += valuesIn(item, known)
  known.set(value, count)
  return count
}

/** Where the content of each document begins; of an empty one, nowhere. */
const beginnings = (events: readonly Event[]): readonly (number | undefined)[] => {
  const found: (number | undefined)[] = []
  for (const [index, { type }] of events.entries()) {
    if (type !== EVENT_ID.DOCUMENT) continue
    const content = events[index + 1]
    if (content?.type === EVENT_ID.SCALAR) found.push(content.valueStart)
    else if (content?.type === EVENT_ID.MAPPING || content?.type === EVENT_ID.SEQUENCE) found.push(content.start)
    else found.push(undefined)
  }
  return found
}

/** Tells the line of rising offsets in one pass over the text. */
const lineCounter = (text: string): ((offset: number) => number) => {
  let line = 1
  let from = 0
  return (offset) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < offset; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    return line
  }
}

/**
 * The documents of a YAML text by the core schema of YAML 1.2, whatever its size: dates stay text, `yes` and `1_000` too.
 * Throws `YamlError`.
 */
export const yamlDocuments = (text: string): readonly YamlDocument[] => {
  try {
    const events = parseEvents(text, {})
    const lineOf = lineCounter(text)
    const lines = beginnings(events).map((offset) => (offset === undefined ? 1 : lineOf(offset)))
    const values = constructFromEvents(events, { source: text, schema })
    if (events.some(({ type }) => type === EVENT_ID.ALIAS)) {
      const known = new Map<object, number>()
      const bomb = values.findIndex((value) => valuesIn(value, known) > MOST_VALUES)
      if (bomb !== -1)
        throw new YamlError('its aliases come to more values than anything can hold', lines[bomb] ?? 1, 1)
    }
    return values.map((value, index) => ({ value, line: lines[index] ?? 1 }))
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { line = 0, column = 0 } = error.mark ?? {}
    throw new YamlError(error.reason, line + 1, column + 1)
  }
}
