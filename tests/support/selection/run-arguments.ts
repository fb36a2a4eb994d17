const RINGS = ['test', 'change', 'nightly'] as const

/** The arguments of tests/support/selection/choose-tests.ts. */
export interface RunArguments {
  readonly ring: (typeof RINGS)[number]
  /** The part as written by the user, for example `2/4` for the second of four parts. */
  readonly part?: string
  /** Texts that the paths of the test files must contain. */
  readonly filters: readonly string[]
}

/**
 * Parses `RING [--part K/N] [FILTER …]`.
 * @throws Error with a one-line message for the user
 */
export const parseRunArguments = ([name = '', ...words]: readonly string[]): RunArguments => {
  const ring = RINGS.find((known) => known === name)
  if (ring === undefined) throw new Error(`unknown ring "${name}"; known: ${RINGS.join(', ')}`)
  const at = words.indexOf('--part')
  const part = at < 0 ? undefined : (words[at + 1] ?? '')
  const filters = at < 0 ? words : words.toSpliced(at, 2)
  const unknown = filters.find((word) => word.startsWith('-'))
  if (unknown !== undefined)
    throw new Error(`unknown option "${unknown}"; known: --change, --nightly, --coverage, --part K/N`)
  if (part === undefined) return { ring, filters }
  if (ring !== 'nightly') throw new Error('--part is for npm run nightly: the other runs have no parts')
  if (filters.length > 0)
    throw new Error(`--part ${part} is of all test files: leave out either it or the filters (${filters.join(' ')})`)
  return { ring, part, filters }
}
