import type { Controller } from '@kerf/runtime'
import { consistency } from './consistency/consistency.ts'
import type { Deps } from './deps.ts'
import { expiration } from './expiration/expiration.ts'
import { garbageCollection } from './garbage-collection/garbage-collection.ts'
import { hydration } from './hydration/hydration.ts'
import { type LifecycleOptions, NodeClaimLifecycle } from './lifecycle/node-claim-lifecycle.ts'
import { ClaimNodes } from './node-claims/claim-nodes.ts'
import { podEvents } from './pod-events/pod-events.ts'
import { EvictionQueue } from './termination/eviction-queue.ts'
import { NodeTermination } from './termination/node-termination.ts'

/** Returns the controllers that launch, register and terminate NodeClaims and their Nodes. */
export const lifecycleControllers = (deps: Deps, options: LifecycleOptions): readonly Controller[] => {
  const links = new ClaimNodes(deps.informers)
  const queue = new EvictionQueue(deps, links)
  return [
    new NodeClaimLifecycle(deps, options).controller(),
    new NodeTermination(deps, links, queue).controller(),
    queue.controller(),
    expiration(deps),
    garbageCollection(deps, options.outcomes),
    consistency(deps),
    ...hydration(deps),
    podEvents(deps),
  ]
}
