import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type Milliseconds, parseDuration } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { decodeText, nearest } from '@kerf/runtime'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { parseDocument } from 'yaml'
import { type Diurnal, eventSchemas, type Trace, traceSchema } from './trace.ts'

/** The shortest time between two changes of a curve's replicas. Shorter times would create too many steps. */
const SHORTEST_STEP: Milliseconds = 1_000

const KINDS = Object.keys(eventSchemas)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const dotted = (path: string): string =>
  path
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '')

/**
 * Returns the problem of an event. Validation against the union of all event schemas reports only that nothing matched. So the field that
 * identifies the kind of event selects the schema to check.
 */
const eventProblem = (events: unknown): string | undefined => {
  if (!Array.isArray(events)) return undefined
  for (const [index, event] of events.entries()) {
    if (!isRecord(event)) return `events[${index}]: an event is an object with \`at\` and one of ${KINDS.join(', ')}`
    const given = Object.keys(event).filter((key) => key !== 'at')
    const unknown = given.find((key) => !KINDS.includes(key))
    if (unknown !== undefined) {
      const meant = nearest(unknown, KINDS)
      return `events[${index}].${unknown}: unknown event${meant === undefined ? '' : `; did you mean ${meant}?`} (${KINDS.join(', ')})`
    }
    if (given.length !== 1) {
      return `events[${index}]: exactly one of ${KINDS.join(', ')} is needed, found ${given.join(', ') || 'none'}`
    }
    const [, schema] = Object.entries(eventSchemas).find(([kind]) => kind === given[0]) ?? []
    const problem = schema === undefined ? undefined : deepestProblem(schema, event)
    if (problem !== undefined) return `events[${index}]${problem.startsWith(':') ? '' : '.'}${problem}`
  }
  return undefined
}

/** Returns the problem with the deepest path, because it is the most specific one. */
const deepestProblem = (schema: TSchema, value: unknown): string | undefined => {
  const depth = ({ instancePath }: { readonly instancePath: string }): number => instancePath.split('/').length
  const [deepest] = [...Value.Errors(schema, value)]
    .filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'boolean')
    .sort((a, b) => depth(b) - depth(a))
  return deepest === undefined ? undefined : `${dotted(deepest.instancePath)}: ${deepest.message}`
}

/** Returns the first problem of a trace, with its path. */
const traceProblem = (value: unknown): string | undefined => {
  if (!isRecord(value)) return 'a trace is an object with `diurnal` and `events`'
  const problem = eventProblem(value['events']) ?? deepestProblem(traceSchema, value)?.replace(/^:/, 'the trace:')
  return problem ?? curveProblem((value as Trace).diurnal ?? [])
}

/** Returns a problem of curves that the schema cannot express. */
const curveProblem = (curves: readonly Diurnal[]): string | undefined => {
  for (const [index, { low, high, every }] of curves.entries()) {
    if (low > high) return `diurnal[${index}]: low is ${low} and high is ${high}; low must not exceed high`
    if (every !== undefined && parseDuration(every) < SHORTEST_STEP)
      return `diurnal[${index}].every: ${every} is less than a second`
  }
  return undefined
}

/**
 * Reads a trace file.
 * @throws UsageError with the file and the path in it
 */
export const readTrace = async (file: string): Promise<Trace> => {
  const failed = (error: unknown): never => {
    throw new UsageError(`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const bytes = await readFile(file).catch(failed)
  if (!file.endsWith('.gz')) return parseTrace(decodeText(bytes), file)
  try {
    return parseTrace(decodeText(gunzipSync(bytes)), file)
  } catch (error) {
    return error instanceof UsageError ? Promise.reject(error) : failed(error)
  }
}

/** Recordings are long JSON files. The JSON parser is about a hundred times faster than the YAML parser. */
const parseJson = (text: string): unknown => {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const parseTrace = (text: string, file: string): Trace => {
  const value = parseJson(text) ?? parseYaml(text, file)
  const problem = traceProblem(value)
  if (problem !== undefined) throw new UsageError(`${file}: ${problem}; the format: kerf simulate --schema`)
  return value as Trace
}

const parseYaml = (text: string, file: string): unknown => {
  const document = parseDocument(text, { prettyErrors: true })
  const [broken] = document.errors
  if (broken !== undefined)
    throw new UsageError(`${file}: not valid YAML: ${broken.message.split('\n')[0]?.replace(/:$/, '')}`)
  const value: unknown = document.toJS()
  if (value === null || value === undefined)
    throw new UsageError(`${file}: is empty; omit --trace, or see kerf simulate --schema`)
  return value
}
