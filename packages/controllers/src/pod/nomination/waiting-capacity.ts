import { isScheduled, kinds, type Milliseconds, type Node, type Pod } from '@kerf/apis'
import type { Informer } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { processIsolation } from '../../state/isolation/isolation.ts'
import type { Placements } from '../placement/placements.ts'
import { beyondAllocatable } from './free-capacity.ts'

/** How often Kerf checks whether an open node still has enough capacity for all pods that are planned for it and not bound yet. */
export const CHECK_INTERVAL: Milliseconds = 1_000

/** Finds the pods that no longer fit on the open node for which they were planned. */
export class WaitingCapacity {
  readonly #deps: Deps
  readonly #placements: Placements
  readonly #claimNodes: ClaimNodes
  readonly #pods: Informer<Pod>
  readonly #checkedAt = new WeakMap<Node, Milliseconds>()

  constructor(deps: Deps, placements: Placements, claimNodes: ClaimNodes) {
    this.#deps = deps
    this.#placements = placements
    this.#claimNodes = claimNodes
    this.#pods = deps.informers.of(kinds.Pod)
  }

  /** Records which pods that wait for the node no longer fit, because pods outside the plan were bound there. */
  check(target: string, node: Node): void {
    const now = this.#deps.clock.now()
    const checkedAt = this.#checkedAt.get(node)
    if (checkedAt !== undefined && now - checkedAt < CHECK_INTERVAL) return
    this.#checkedAt.set(node, now)
    const waiting = this.#placements.to(target).flatMap(({ pod: key, source, nomination }) => {
      const pod = this.#pods.get(key)
      return pod !== undefined && source === 'decided' && !isScheduled(pod) && !nomination.isGivenUp ? [pod] : []
    })
    const bound = this.#claimNodes.podsOn(node.metadata.name)
    const lost = new Set(beyondAllocatable(node, bound, waiting, processIsolation(this.#deps)))
    for (const pod of waiting) {
      const progress = this.#placements.of(pod)?.nomination
      if (progress !== undefined)
        progress.withoutCapacitySince = lost.has(pod) ? (progress.withoutCapacitySince ?? now) : undefined
    }
  }
}
