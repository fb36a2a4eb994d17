import { readFileSync } from 'node:fs'
import { withFaults } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import { randomClassSpec } from './random-class-spec.ts'

/** A random spec, and how a real API server with the CRD of Bizfly's own provider validated it. */
interface Verdict {
  readonly spec: unknown
  /** The result, in the format of `verdictLine`. */
  readonly line: string
}

/** Invalid or unusual values that replace a valid value. */
const JUNK: readonly unknown[] = [
  ...[0, -1, 19, 20, 1_000, 1_001, 3.5, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'basic', 'SSD', 'ubuntu', 'a\nb', true, false, null, [], {}, ['a'], ['SSD', 'SSD']],
  ...[{ securityGroupID: 'a' }, { type: 'template' }, Array.from({ length: 11 }, () => ({ securityGroupID: 'a' }))],
]

/**
 * Returns 500 random specs, each with the result of a real API server with the CRD of bizflycloud/karpenter-provider-bizflycloud 622fe21.
 * `providers/bizfly/tests/upstream-definition.test.ts` records them.
 */
export const nodeClassVerdicts = (): readonly Verdict[] => {
  const random = new SeededRandom('verdicts of BizflyCloudNodeClasses')
  const lines = readFileSync(new URL('verdicts.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return Array.from({ length: 500 }, (_, index) => ({
    spec: withFaults(random, randomClassSpec(random), JUNK),
    line: lines[index] ?? '',
  }))
}
