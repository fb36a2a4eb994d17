import { ownValue } from '@kerf/apis'
import type { Labels } from './metrics.ts'

/** One line of a family. The lines of histograms and summaries have their own metric names. */
interface ExposedSeries {
  readonly metricName?: string
  readonly labels: Labels | Readonly<Record<string, string | number>>
  readonly value: number
}

/** A family as it was at one moment. Later writes must not change its values. */
export interface ExposedFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly ExposedSeries[]
  /** Converts a stored value to the value that is shown. */
  readonly shown?: (value: number) => number
}

const ESCAPED = /[\\\n"]/

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const escapeLabel = (value: string | number): string | number =>
  typeof value === 'string' && ESCAPED.test(value) ? escapeHelp(value).replaceAll('"', '\\"') : value

/** Formats a number as prom-client does. */
const numberText = (value: number): string => {
  if (Number.isNaN(value)) return 'Nan'
  if (Number.isFinite(value)) return `${value}`
  return value < 0 ? '-Inf' : '+Inf'
}

const labelsText = (labels: ExposedSeries['labels']): string => {
  let text = ''
  // Iterates over keys and not over entries. Each entry is an array, and a scrape of a large cluster would allocate a million of
  // them.
  for (const name of Object.keys(labels)) {
    text += `${text === '' ? '{' : ','}${name}="${escapeLabel(ownValue(labels, name) ?? '')}"`
  }
  return text === '' ? '' : `${text}}`
}

/** Returns the two lines that come before the series of a family. */
export const familyHead = ({ name, help, type }: ExposedFamily): string => {
  const escaped = escapeHelp(name)
  return `# HELP ${escaped} ${escapeHelp(help)}\n# TYPE ${escaped} ${type}`
}

/** Returns the line of one series, preceded by a line break. */
export const seriesLine = (
  { name, shown }: ExposedFamily,
  { metricName = name, labels, value }: ExposedSeries,
): string => `\n${metricName}${labelsText(labels)} ${numberText(shown === undefined ? value : shown(value))}`
