export { alteredProvider, withHooks } from './altered-provider.ts'
export { apiError } from './api-error.ts'
export { readIfThere, sumOfMetric } from './api-readings.ts'
export { type ClaimOptions, createClaim, createInitializedClaim } from './claims.ts'
export { Harness } from './harness.ts'
export type { Fault, FaultResult, HarnessOptions } from './harness-options.ts'
export { lifecycle, lifecycleHarness } from './lifecycle.ts'
export {
  bindPod,
  createInstantPodOn,
  createPendingPod,
  createPendingPods,
  createPodOn,
  type PodOnOptions,
} from './pods.ts'
export { createDisruptablePool, createPool, createPoolOfType, patchPool } from './pools.ts'
export {
  createClaimOfPool,
  launchNode,
  launchNodes,
  makeNodesReady,
  type RunningNode,
  type RunningNodeOptions,
} from './running-nodes.ts'
export { SlowLaunches, type SlowLaunchesOptions } from './slow-launches.ts'
export { createDaemonSetOn, createDeployment, createPodDisruptionBudget, scaleDeployment } from './workloads.ts'
