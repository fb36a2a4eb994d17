import { coreVocabulary } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'

const refuse = (): Promise<never> => Promise.reject(new Error('nothing is launched in a benchmark'))

/** Returns a provider for benchmarks that only plan. It offers these instance types to every NodePool, and launches nothing. */
export const noCloud = (types: readonly InstanceType[] = []): CloudProvider => ({
  name: 'bench',
  nodeClasses: [kwokNodeClassKind],
  vocabulary: coreVocabulary,
  repairPolicies: [],
  create: refuse,
  delete: refuse,
  get: refuse,
  list: async () => [],
  instanceTypes: async () => types,
  isDrifted: async () => undefined,
})
