/**
 * From objects to what the engine reads, without anything that watches or acts: also for the dashboard, which runs it in
 * the browser. Nothing here may import more than `@kerf/apis`, `@kerf/engine` and types.
 */

export { isProvisionable } from '../pods/pod-predicates.ts'
export { type ClaimCounts, countClaims, hasInstance } from './claim-counts.ts'
export { daemonPodOf } from './daemon-pods.ts'
export { joinKeyOf } from './join-key.ts'
export { PodLedger } from './pod-ledger.ts'
export { countNodes, type PoolCount } from './pool-count.ts'
export { StateNode } from './state-node.ts'
