import { coreVocabulary, karpenterKinds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'

const refuse = (): Promise<never> => Promise.reject(new Error('nothing is launched in a benchmark'))

/** Returns a provider for benchmarks that only plan: it offers these types to every NodePool, and launches nothing. */
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
