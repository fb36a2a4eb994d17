import { type KindVerdicts, recordedVerdicts, withFaults } from '@kerf/provider-kit/testing'
import { gceNodeClassResource } from '../node-class/gce-node-class.ts'
import { randomNodeClassSpec } from './random-node-class-spec.ts'

/** Invalid or unusual values that replace a valid value. */
const JUNK: readonly unknown[] = [
  ...[0, -1, 1, 9, 101, 3.5, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'Ubuntu', 'pd-ssd', 'latest', '5%', '-1', '1 Gi', '1d', 'a\nb', 'x'.repeat(65)],
  ...[true, false, null, [], {}, ['a'], { cpu: '1' }],
]

/** Returns the verdicts of the CRD of cloudpilot-ai/karpenter-provider-gcp 417f047b on random specs. */
export const nodeClassVerdicts = (): readonly KindVerdicts[] => [
  recordedVerdicts(gceNodeClassResource, {
    folder: import.meta.url,
    seed: 'verdicts',
    make: (random) => withFaults(random, randomNodeClassSpec(random), JUNK),
  }),
]
