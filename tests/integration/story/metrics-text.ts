/** One line of the Prometheus text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/
const LABEL = /(?<key>\w+)="(?<value>(?:[^"\\]|\\.)*)"/g

/** Returns the samples of a scrape, without comments. */
export const parseMetrics = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const groups = LINE.exec(line)?.groups
    if (groups === undefined) return []
    const { name = '', labels = '', value = '' } = groups
    const pairs = [...labels.matchAll(LABEL)].map(({ groups: pair }) => [pair?.['key'] ?? '', pair?.['value'] ?? ''])
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })

/** Returns the sum of all samples with the name and the labels. */
export const sumSamples = (
  samples: readonly Sample[],
  name: string,
  wanted: Readonly<Record<string, string>> = {},
): number => {
  const keys = Object.keys(wanted)
  const matching = samples.filter(
    (sample) => sample.name === name && keys.every((key) => sample.labels[key] === wanted[key]),
  )
  return matching.reduce((sum, { value }) => sum + value, 0)
}
