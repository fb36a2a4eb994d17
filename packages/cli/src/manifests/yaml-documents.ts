import { EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml'
import { ComposeError, composeDocument } from './compose-yaml.ts'
import { YamlError } from './yaml-error.ts'

/** A repeated key of a mapping, and its line, counted from 1. */
export interface RepeatedKeyLine {
  readonly key: string
  readonly line: number
}

/** The content of one document in a YAML text, and the line on which it begins, counted from 1. */
export interface YamlDocument {
  readonly value: unknown
  readonly line: number
  readonly repeated: readonly RepeatedKeyLine[]
}

/** Maximum number of values in a document after its aliases are expanded. A snapshot of 5,000 nodes has about ten million. */
const MOST_VALUES = 100_000_000
/** Maximum nesting depth of collections. */
const MAX_DEPTH = 1_000
/** Maximum number of lines that are repaired before the document is refused as invalid. */
const MOST_CHANGED = 2_000

/** Returns the number of values after all aliases are expanded. */
const valuesIn = (value: unknown, known: Map<object, number>): number => {
  if (typeof value !== 'object' || value === null) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  let count = 1
  for (const item of Object.values(value)) count += valuesIn(item, known)
  known.set(value, count)
  return count
}

/**
 * Returns a function that computes the line of an offset. Callers must pass offsets in ascending order, so that one pass over the text is
 * enough.
 */
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

/** Returns the offset where the content of the first document begins. Returns `undefined` if it has none. */
const beginning = (events: readonly Event[]): number | undefined => {
  const content = events[1]
  if (content?.type === EVENT_ID.SCALAR) return content.valueStart
  return content?.type === EVENT_ID.MAPPING || content?.type === EVENT_ID.SEQUENCE ? content.start : undefined
}

interface ParsedText {
  readonly events: readonly Event[]
  /** The repaired text that the events refer to. It has as many lines as the original. */
  readonly text: string
  /** Returns how many columns a repair inserted at the start of the line. `line` counts from 0. */
  shiftAt(line: number): number
}

/**
 * Parses a text as leniently as go-yaml. YAML 1.2 requires that the lines of a flow collection or quoted scalar are indented further than
 * their parent, and forbids tabs between the items of a flow collection. In these places, whitespace has no meaning. So this function
 * indents the lines that the parser refuses, and replaces tabs with spaces.
 */
const lenientEvents = (original: string): ParsedText => {
  let text = original
  const indented = new Set<number>()
  let indentation = ''
  let changed = 0
  const shiftAt = (line: number): number => (indented.has(line) ? indentation.length : 0)
  for (;;) {
    try {
      return { events: parseEvents(text, { maxDepth: MAX_DEPTH }), text, shiftAt }
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error
      const { line = 0, column = 0 } = error.mark ?? {}
      const lines = text.split('\n')
      const given = lines[line] ?? ''
      // go-yaml also accepts a comment that directly follows a quote or bracket.
      const isComment = given[column] === '#' && /["'\]}]$/.test(given.slice(0, column))
      if (isComment && changed < MOST_CHANGED) {
        changed++
        lines[line] = `${given.slice(0, column)} ${given.slice(column)}`
        text = lines.join('\n')
        continue
      }
      const isShallow = error.reason === 'deficient indentation' && changed < MOST_CHANGED
      const untabbed =
        given.slice(0, column).replace(/\S\s*$/, (end) => end.replaceAll('\t', ' ')) + given.slice(column)
      if (!isShallow || (indented.has(line) && untabbed === given))
        throw new YamlError(error.reason, line + 1, column + 1 - shiftAt(line))
      changed++
      if (indentation === '') indentation = ' '.repeat(Math.max(...lines.map((each) => each.length)) + 1)
      if (untabbed === given) indented.add(line)
      lines[line] = untabbed === given ? indentation + given : untabbed
      text = lines.join('\n')
    }
  }
}

const parseDocument = (source: string): YamlDocument => {
  const { events, text, shiftAt } = lenientEvents(source)
  const lineOf = lineCounter(text)
  const start = beginning(events)
  const line = start === undefined ? 1 : lineOf(start)
  try {
    const { value, repeated, hasAliases } = composeDocument(events, text)
    if (hasAliases && valuesIn(value, new Map()) > MOST_VALUES)
      throw new YamlError('its aliases expand to too many values', line, 1)
    const lineOfKey = lineCounter(text)
    const inOrder = repeated.toSorted((a, b) => a.at - b.at)
    return { value, line, repeated: inOrder.map(({ key, at }) => ({ key, line: lineOfKey(at) })) }
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error
    const lineStart = text.lastIndexOf('\n', error.at - 1) + 1
    const at = lineCounter(text)(error.at)
    throw new YamlError(error.message, at, error.at - lineStart + 1 - shiftAt(at - 1))
  }
}

interface Chunk {
  readonly text: string
  /** Number of lines in the file that precede this chunk. */
  readonly linesBefore: number
}

const SEPARATOR = '---'

/** Splits a text into documents in the same way as kubectl: at each line that begins with `---`. */
function* parseChunks(text: string): Generator<Chunk> {
  let start = 0
  let linesBefore = 0
  const lineAt = lineCounter(text)
  for (let at = text.startsWith(SEPARATOR) ? 0 : text.indexOf(`\n${SEPARATOR}`) + 1; ; ) {
    const isLast = at === 0 && !(start === 0 && text.startsWith(SEPARATOR))
    if (isLast) {
      yield { text: text.slice(start), linesBefore }
      return
    }
    if (at > start) yield { text: text.slice(start, at), linesBefore }
    const lineEnd = text.indexOf('\n', at)
    const rest = text.slice(at + SEPARATOR.length, lineEnd === -1 ? undefined : lineEnd).trim()
    if (rest !== '' && !rest.startsWith('#'))
      throw new YamlError(`nothing may follow the document separator ---, found: ${rest}`, lineAt(at + 1), 4)
    if (lineEnd === -1) return
    linesBefore = lineAt(lineEnd)
    start = lineEnd + 1
    at = text.startsWith(SEPARATOR, start) ? start : text.indexOf(`\n${SEPARATOR}`, start) + 1
  }
}

/**
 * Returns the documents of a YAML text of any size, read in the same way as by kubectl (sigs.k8s.io/yaml). Dates remain strings.
 *
 * @throws YamlError if the text is not valid YAML
 */
export const yamlDocuments = (text: string): readonly YamlDocument[] => {
  const documents: YamlDocument[] = []
  for (const { text: chunk, linesBefore } of parseChunks(text)) {
    try {
      const { value, line, repeated } = parseDocument(chunk)
      documents.push({
        value,
        line: line + linesBefore,
        repeated: repeated.map((each) => ({ ...each, line: each.line + linesBefore })),
      })
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      throw new YamlError(error.message, error.line + linesBefore, error.column)
    }
  }
  return documents
}
