import { type KindVerdicts, recordedVerdicts } from '@kerf/provider-kit/testing'
import { aksNodeClassResource } from '../node-class/aks-node-class.ts'
import { randomFaultySpec } from './random-node-class.ts'

/** Returns the verdicts of the CRD of Azure/karpenter-provider-azure 352646f on random specs. */
export const nodeClassVerdicts = (): readonly KindVerdicts[] => [
  recordedVerdicts(aksNodeClassResource, { folder: import.meta.url, seed: 'verdicts', make: randomFaultySpec }),
]
