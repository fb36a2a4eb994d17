import { coreVocabulary, karpenterKinds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'

const refuse = (): Promise<never> => Promise.reject(new Error('nothing is launched in a benchmark'))

/** A provider for benchmarks that only ask: it offers these types to every pool, and launches nothing. */
export const noCloud = (types: readonly InstanceType[] = []): CloudProvider => ({
  name: 'bench',
  nodeClasses: [karpenterKinds.KWOKNodeClass],
  vocabulary: coreVocabulary,
  repairPolicies: [],
  create: refuse,
  delete: refuse,
  get: refuse,
  list: async () => [],
  instanceTypes: async () => types,
  isDrifted: async () => undefined,
})
