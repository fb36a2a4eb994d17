import type { Controller } from '@kerf/runtime'
import type { Deps } from './deps.ts'
import { EvictionQueue } from './node/termination/eviction-queue.ts'
import { NodeTermination } from './node/termination/node-termination.ts'
import { ClaimNodes } from './nodeclaim/claim-nodes.ts'
import { consistency } from './nodeclaim/consistency.ts'
import { expiration } from './nodeclaim/expiration.ts'
import { garbageCollection } from './nodeclaim/garbage-collection.ts'
import { hydration } from './nodeclaim/hydration.ts'
import { type LifecycleOptions, NodeClaimLifecycle } from './nodeclaim/lifecycle/node-claim-lifecycle.ts'
import { podEvents } from './pod/pod-events.ts'

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
