import type { CloudProvider, NodeLifecycleHook } from '@kerf/provider-contract'
import type { KwokProvider } from '@kerf/provider-kwok'

/** Returns the KWOK provider with some of its methods replaced. */
export const alteredProvider = (kwok: KwokProvider, answers: Partial<CloudProvider>): CloudProvider => ({
  name: kwok.name,
  nodeClasses: kwok.nodeClasses,
  vocabulary: kwok.vocabulary,
  repairPolicies: kwok.repairPolicies,
  create: (claim, signal) => kwok.create(claim, signal),
  delete: (claim, signal) => kwok.delete(claim, signal),
  get: (id, signal) => kwok.get(id, signal),
  list: (signal) => kwok.list(signal),
  instanceTypes: (pool, signal) => kwok.instanceTypes(pool, signal),
  isDrifted: () => kwok.isDrifted(),
  controllers: () => kwok.controllers(),
  ...answers,
})

/** Returns a value for `HarnessOptions.provider`: the KWOK provider with these hooks of the node lifecycle. */
export const withHooks =
  (...hooks: readonly NodeLifecycleHook[]) =>
  (kwok: KwokProvider): CloudProvider =>
    alteredProvider(kwok, { hooks })
