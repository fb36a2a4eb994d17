/**
 * This file computes the input of the engine only from objects, without informers and without side effects. The dashboard runs it in the
 * browser, so it may import nothing except `@kerf/apis`, `@kerf/engine` and types.
 */

export { isProvisionable } from '../pod/pod-predicates.ts'
export { type ClaimCounts, countClaims, hasInstance } from './claim-counts.ts'
export { daemonSetPod } from './daemon-pods.ts'
export { claimJoinKey } from './join-key.ts'
export { PodIndex } from './pod-index.ts'
export { countNodes, type PoolCount } from './pool-count.ts'
export { StateNode } from './state-node.ts'
