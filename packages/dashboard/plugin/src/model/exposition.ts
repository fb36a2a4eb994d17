import { setOwnValue } from '@kerf/apis'
import { fieldsAt, listAt } from './read.ts'

/** One sample of a metric. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+-?\d+)?$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"\s*,?\s*/y

const parseLabels = (text: string): Readonly<Record<string, string>> | undefined => {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const found = LABEL.exec(text)
    if (found === null) return undefined
    setOwnValue(
      labels,
      found[1] ?? '',
      (found[2] ?? '').replaceAll(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each)),
    )
  }
  return labels
}

const parseNumber = (text: string): number =>
  text === '+Inf' ? Number.POSITIVE_INFINITY : text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)

/**
 * Parses Prometheus' text format (version 0.0.4), which the controller serves at `/metrics`. Ignores invalid lines,
 * for example those of a login page.
 */
export const readExposition = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line): readonly Sample[] => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) return []
    const [, name, inner, value] = LINE.exec(trimmed) ?? []
    if (name === undefined || value === undefined) return []
    const labels = parseLabels(inner ?? '')
    const number = parseNumber(value)
    return labels === undefined || Number.isNaN(number) ? [] : [{ name, labels, value: number }]
  })

/** Parses Prometheus' response to an instant query. Any other response has no samples. */
export const readVector = (answer: unknown): readonly Sample[] =>
  listAt(answer, 'data', 'result').flatMap((each): readonly Sample[] => {
    const { __name__: name, ...labels } = fieldsAt(each, 'metric')
    const [, text] = listAt(each, 'value')
    const value = typeof text === 'string' && text !== '' ? parseNumber(text) : Number.NaN
    if (typeof name !== 'string' || Number.isNaN(value)) return []
    return [{ name, labels: Object.fromEntries(Object.entries(labels).map(([key, own]) => [key, String(own)])), value }]
  })

/**
 * Returns the p-quantile of a histogram, interpolated linearly inside a bucket as in PromQL. Returns undefined if there are no
 * observations.
 */
export const computeQuantile = (samples: readonly Sample[], name: string, p: number): number | undefined => {
  const counts = new Map<number, number>()
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket`) continue
    const le = parseNumber(sample.labels['le'] ?? '')
    if (!Number.isNaN(le)) counts.set(le, (counts.get(le) ?? 0) + sample.value)
  }
  const buckets = [...counts].sort(([a], [b]) => a - b)
  const total = buckets.at(-1)?.[1] ?? 0
  if (total === 0) return undefined
  const rank = p * total
  let [below, boundary] = [0, 0]
  for (const [le, count] of buckets) {
    if (count >= rank) {
      if (le === Number.POSITIVE_INFINITY) return boundary
      return count === below ? le : boundary + ((le - boundary) * (rank - below)) / (count - below)
    }
    below = count
    boundary = le
  }
  return boundary
}
