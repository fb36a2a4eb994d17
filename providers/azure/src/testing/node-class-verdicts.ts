import { readFileSync } from 'node:fs'
import { SeededRandom } from '@kerf/runtime'
import { randomFaultySpec } from './random-node-class.ts'

/** A random spec, and the result of a real API server with upstream's CRD. */
export interface NodeClassVerdict {
  readonly spec: unknown
  /** In the format of `verdictLine`. */
  readonly line: string
}

type Outcome =
  | { readonly accepted: true; readonly spec: unknown }
  | { readonly accepted: false; readonly fields: readonly string[] }

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}

/** Returns the 32-bit FNV-1a hash, which is sufficient to detect different texts. */
const fingerprint = (text: string): string => {
  let hash = 2_166_136_261
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0
  return hash.toString(16)
}

/** Returns the result for an object in one line: the rejected fields, or a hash of the stored spec. */
export const verdictLine = (outcome: Outcome): string =>
  outcome.accepted
    ? `accepted ${fingerprint(JSON.stringify(sorted(outcome.spec)) ?? '')}`
    : `refused ${[...new Set(outcome.fields.filter((field) => field !== '' && field !== '<nil>'))].sort().join(' ')}`

/**
 * Returns 500 random specs and the results of Kubernetes for each with the CRD of Azure/karpenter-provider-azure 352646f.
 * `providers/azure/tests/upstream-definition.test.ts` records them.
 */
export const nodeClassVerdicts = (): readonly NodeClassVerdict[] => {
  const random = new SeededRandom('verdicts')
  const lines = readFileSync(new URL('node-class.verdicts.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return Array.from({ length: 500 }, (_, index) => ({ spec: randomFaultySpec(random), line: lines[index] ?? '' }))
}
