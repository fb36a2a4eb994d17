/** The results for the manifests of one source. */
export interface Row {
  readonly source: string
  readonly version: string
  files: number
  objects: number
  /** Objects that the API server refused. */
  refused: number
  /** Objects that either Kerf or the API server accepts, but not both. */
  differences: number
  /** Objects of a kind that the API server does not serve, because the source does not define the kind. */
  unserved: number
  pods: number
  /** Pods that the API server refuses because of objects outside the files, such as a missing service account. */
  podsRefused: number
  podDifferences: number
}

export const emptyRow = (source: string, version: string): Row => ({
  source,
  version,
  files: 0,
  objects: 0,
  refused: 0,
  differences: 0,
  unserved: 0,
  pods: 0,
  podsRefused: 0,
  podDifferences: 0,
})

const COLUMNS = [
  'files',
  'objects',
  'refused',
  'differences',
  'unserved',
  'pods',
  'podsRefused',
  'podDifferences',
] as const

/** Returns a Markdown page with the rows and their sum. */
export const table = (rows: readonly Row[]): string => {
  const line = (name: string, row: Pick<Row, (typeof COLUMNS)[number]>): string =>
    `| ${name} | ${COLUMNS.map((column) => row[column]).join(' | ')} |`
  const sum = rows.reduce(
    (total, row) => {
      for (const column of COLUMNS) total[column] += row[column]
      return total
    },
    emptyRow('', ''),
  )
  return [
    '# Manifests: Kerf and the API server',
    '',
    'Written by `npm run bench:manifests -- --write`. The [README](README.md) explains the columns.',
    '',
    '| source | files | objects | refused by both or one | verdicts that differ | of kinds without a definition | pods | pods that the server refuses | pods that differ |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => line(`${row.source} @ ${row.version.slice(0, 12)}`, row)),
    line('all', sum),
    '',
  ].join('\n')
}
