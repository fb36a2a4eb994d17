import { type KindVerdicts, recordedVerdicts, withFaults } from '@kerf/provider-kit/testing'
import { bizflyNodeClassResource } from '../node-class/bizfly-node-class.ts'
import { randomClassSpec } from './random-class-spec.ts'

/** Invalid or unusual values that replace a valid value. */
const JUNK: readonly unknown[] = [
  ...[0, -1, 19, 20, 1_000, 1_001, 3.5, 2_147_483_648, 9_007_199_254_740_991],
  ...['', 'x', 'basic', 'SSD', 'ubuntu', 'a\nb', true, false, null, [], {}, ['a'], ['SSD', 'SSD']],
  ...[{ securityGroupID: 'a' }, { type: 'template' }, Array.from({ length: 11 }, () => ({ securityGroupID: 'a' }))],
]

/** Returns the verdicts of the CRD of bizflycloud/karpenter-provider-bizflycloud 622fe21 on random specs. */
export const nodeClassVerdicts = (): readonly KindVerdicts[] => [
  recordedVerdicts(bizflyNodeClassResource, {
    folder: import.meta.url,
    seed: 'verdicts of BizflyCloudNodeClasses',
    make: (random) => withFaults(random, randomClassSpec(random), JUNK),
  }),
]
