import { readFileSync } from 'node:fs'
import type { CustomResource, KubeObject } from '@kerf/apis'
import { type KindVerdicts, type Random, recordedVerdicts, withFaults } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import type { Upstream } from '../names.ts'
import { communityNodeClassResource } from '../node-class/community-node-class.ts'
import { oracleNodeClassResource } from '../node-class/oracle-node-class.ts'
import { randomCommunitySpec } from './random-community-spec.ts'
import { randomOracleSpec } from './random-oracle-spec.ts'

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

const verdictsOf = (upstream: Upstream, resource: CustomResource<KubeObject>): KindVerdicts =>
  recordedVerdicts(resource, {
    ...{ folder: import.meta.url, seed: `verdicts of ${upstream}` },
    make: (random) => withFaults(random, makers[upstream](random), JUNK),
  })

/** Returns the verdicts of the CRDs of zoom/karpenter-oci ff0a12c and oracle/karpenter-provider-oci b26d656 on random specs. */
export const nodeClassVerdicts = (): readonly KindVerdicts[] => [
  verdictsOf('community', communityNodeClassResource),
  verdictsOf('oracle', oracleNodeClassResource),
]

/** Returns 500 random specs, and the hash that the public provider of the kind returned for each. */
export const randomHashes = (upstream: Upstream): readonly { readonly spec: unknown; readonly hash: string }[] => {
  const random = new SeededRandom(`hashes of ${upstream}`)
  const hashes = readFileSync(new URL(`${upstream}-node-class.hashes.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return Array.from({ length: 500 }, (_, index) => ({ spec: makers[upstream](random), hash: hashes[index] ?? '' }))
}
