import { readFileSync } from 'node:fs'
import { withFaults } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import { randomNodeClassSpec } from './random-node-class-spec.ts'

/** A random spec, and the result of a real API server with upstream's CRD. */
export interface NodeClassVerdict {
  readonly spec: unknown
  /** The result, in the format of `verdictLine`. */
  readonly line: string
}

/**
 * Invalid or unusual values that replace a valid value. Excludes values on which the CRDs of Kerf and upstream disagree
 * (`providers/alibaba/docs/spec/alibaba.md#compared-with-upstream`).
 */
const JUNK: readonly unknown[] = [
  ...[0, -1, 1, 9, 101, 3.5, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'ContainerOS', 'cloud_essd', 'PL4', '5%', '-1', '1 Gi', '1d', 'a\nb', 'vsw', 'sg-', 'x'.repeat(65)],
  ...[true, false, null, [], {}, ['a'], { cpu: '1' }],
]

/**
 * Returns 500 random specs, each with the result of a real API server with the CRD of cloudpilot-ai/karpenter-provider-alibabacloud
 * cb536aff. `providers/alibaba/tests/upstream-definition.test.ts` records them.
 */
export const nodeClassVerdicts = (): readonly NodeClassVerdict[] => {
  const random = new SeededRandom('verdicts')
  const lines = readFileSync(new URL('node-class.verdicts.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return Array.from({ length: 500 }, (_, index) => ({
    spec: withFaults(random, randomNodeClassSpec(random), JUNK),
    line: lines[index] ?? '',
  }))
}
