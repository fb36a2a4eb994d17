import { readFileSync } from 'node:fs'
import { type Random, withFaults } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import type { Upstream } from '../names.ts'
import { randomCommunitySpec } from './random-community-spec.ts'
import { randomOracleSpec } from './random-oracle-spec.ts'

/** A random spec, and how a real API server with the public provider's CRD validated it. */
export interface NodeClassVerdict {
  readonly spec: unknown
  /** The result, in the format of `verdictLine`. */
  readonly line: string
}

/** Invalid or unusual values that replace a valid value. */
const JUNK: readonly unknown[] = [
  ...[0, -1, 1, 9, 25, 257, 3.5, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'a.b', 'a b', 'ocid1.image.', 'BIOS', 'ISCSI', '5%', '-1', '1 Gi', '1d', 'a\nb', 'x'.repeat(257)],
  ...[true, false, null, [], {}, ['a'], { cpu: '1' }, { id: 'ocid1.image.oc1.phx.a', name: 'a' }, { 'a b.c': 'd' }],
]

const makers: Readonly<Record<Upstream, (random: Random) => unknown>> = {
  community: randomCommunitySpec,
  oracle: randomOracleSpec,
}

const recordedLines = (file: string): readonly string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')

/**
 * Returns 500 random specs, each with the result of a real API server with the CRD of zoom/karpenter-oci ff0a12c or of
 * oracle/karpenter-provider-oci b26d656. `providers/oci/tests/upstream-definition.test.ts` records them.
 */
export const nodeClassVerdicts = (upstream: Upstream): readonly NodeClassVerdict[] => {
  const random = new SeededRandom(`verdicts of ${upstream}`)
  const lines = recordedLines(`${upstream}-node-class.verdicts.tsv`)
  return Array.from({ length: 500 }, (_, index) => ({
    spec: withFaults(random, makers[upstream](random), JUNK),
    line: lines[index] ?? '',
  }))
}

/** Returns 500 random specs, and the hash that the public provider of the kind returned for each. */
export const randomHashes = (upstream: Upstream): readonly { readonly spec: unknown; readonly hash: string }[] => {
  const random = new SeededRandom(`hashes of ${upstream}`)
  const hashes = recordedLines(`${upstream}-node-class.hashes.txt`)
  return Array.from({ length: 500 }, (_, index) => ({ spec: makers[upstream](random), hash: hashes[index] ?? '' }))
}
