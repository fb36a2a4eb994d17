import { ownValue } from '@kerf/apis'
import type { Labels } from './metrics.ts'

/** One line of a family. Lines of histograms and summaries have their own names. */
interface ExposedSeries {
  readonly metricName?: string
  readonly labels: Labels | Readonly<Record<string, string | number>>
  readonly value: number
}

/** A family at one moment. Later writes must not change its values. */
export interface ExposedFamily {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly ExposedSeries[]
  /** Converts a stored value for display. */
  readonly shown?: (value: number) => number
}

const ESCAPED = /[\\\n"]/

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const escapeLabel = (value: string | number): string | number =>
  typeof value === 'string' && ESCAPED.test(value) ? escapeHelp(value).replaceAll('"', '\\"') : value

/** Formats a number like prom-client. */
const numberText = (value: number): string => {
  if (Number.isNaN(value)) return 'Nan'
  if (Number.isFinite(value)) return `${value}`
  return value < 0 ? '-Inf' : '+Inf'
}

const labelsText = (labels: ExposedSeries['labels']): string => {
  let text = ''
  // Keys instead of entries: each entry is an array, and a scrape of a large cluster would allocate a million of them.
  for (const name of Object.keys(labels)) {
    text += `${text === '' ? '{' : ','}${name}="${escapeLabel(ownValue(labels, name) ?? '')}"`
  }
  return text === '' ? '' : `${text}}`
}

/** Returns the two lines before the series of a family. */
export const familyHead = ({ name, help, type }: ExposedFamily): string => {
  const escaped = escapeHelp(name)
  return `# HELP ${escaped} ${escapeHelp(help)}\n# TYPE ${escaped} ${type}`
}

/** Returns the line of one series, with the line break before it. */
export const seriesLine = (
  { name, shown }: ExposedFamily,
  { metricName = name, labels, value }: ExposedSeries,
): string => `\n${metricName}${labelsText(labels)} ${numberText(shown === undefined ? value : shown(value))}`
