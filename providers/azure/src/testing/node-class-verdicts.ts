import { readFileSync } from 'node:fs'
import { SeededRandom } from '@kerf/runtime'
import { randomFaultySpec } from './random-node-class.ts'

/** A random spec, and what a real API server made of it with upstream's CRD. */
export interface NodeClassVerdict {
  readonly spec: unknown
  /** As `verdictLine` writes it. */
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

/** FNV-1a with 32 bits: enough to see that two texts differ. */
const fingerprint = (text: string): string => {
  let hash = 2_166_136_261
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0
  return hash.toString(16)
}

/** What became of an object in one line: the fields that were complained about, or a fingerprint of the spec as it was stored. */
export const verdictLine = (outcome: Outcome): string =>
  outcome.accepted
    ? `accepted ${fingerprint(JSON.stringify(sorted(outcome.spec)) ?? '')}`
    : `refused ${[...new Set(outcome.fields.filter((field) => field !== '' && field !== '<nil>'))].sort().join(' ')}`

/**
 * 500 random specs and what Kubernetes made of each with the CRD of Azure/karpenter-provider-azure 352646f.
 * `test/azure/upstream-definition.test.ts` records them.
 */
export const nodeClassVerdicts = (): readonly NodeClassVerdict[] => {
  const random = new SeededRandom('verdicts')
  const lines = readFileSync(new URL('node-class.verdicts.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return Array.from({ length: 500 }, (_, index) => ({ spec: randomFaultySpec(random), line: lines[index] ?? '' }))
}
