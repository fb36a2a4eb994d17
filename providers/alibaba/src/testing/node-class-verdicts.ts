import { type KindVerdicts, recordedVerdicts, withFaults } from '@kerf/provider-kit/testing'
import { ecsNodeClassResource } from '../node-class/ecs-node-class.ts'
import { randomNodeClassSpec } from './random-node-class-spec.ts'

/**
 * Invalid or unusual values that replace a valid value. Excludes values on which the CRDs of Kerf and upstream disagree
 * (`providers/alibaba/docs/spec/alibaba.md#compared-with-upstream`).
 */
const JUNK: readonly unknown[] = [
  ...[0, -1, 1, 9, 101, 3.5, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'ContainerOS', 'cloud_essd', 'PL4', '5%', '-1', '1 Gi', '1d', 'a\nb', 'vsw', 'sg-', 'x'.repeat(65)],
  ...[true, false, null, [], {}, ['a'], { cpu: '1' }],
]

/** Returns the verdicts of the CRD of cloudpilot-ai/karpenter-provider-alibabacloud cb536aff on random specs. */
export const nodeClassVerdicts = (): readonly KindVerdicts[] => [
  recordedVerdicts(ecsNodeClassResource, {
    folder: import.meta.url,
    seed: 'verdicts',
    make: (random) => withFaults(random, randomNodeClassSpec(random), JUNK),
  }),
]
