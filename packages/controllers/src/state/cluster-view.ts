/**
 * Functions that compute the input of the engine from objects alone, without informers and side effects. The dashboard runs them in the
 * browser, so this file may import only `@kerf/apis`, `@kerf/engine` and types.
 */

export { isProvisionable } from '../pod/pod-predicates.ts'
export { type ClaimCounts, countClaims, hasInstance } from './claim-counts.ts'
export { daemonSetPod } from './daemon-pods.ts'
export { claimJoinKey } from './join-key.ts'
export { PodIndex } from './pod-index.ts'
export { countNodes, type PoolCount } from './pool-count.ts'
export { attachPolicies } from './pool-policies/attached-policies.ts'
export { poolAccess } from './pool-policies/pool-access.ts'
export { sleepingPools, sleepTexts } from './pool-policies/pool-sleep.ts'
export { StateNode } from './state-node.ts'
