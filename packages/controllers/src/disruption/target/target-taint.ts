import { isSameTaint, kinds, type Node, taints } from '@kerf/apis'
import { isConflict, isNotFound, type KubeClient, type Logger, mapLimit } from '@kerf/runtime'
import type { ClusterState } from '../../state/cluster-state.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import type { Candidate } from '../candidates/candidate.ts'

const PARALLEL = 20

const has = (node: Node): boolean =>
  node.spec.taints?.some((taint) => isSameTaint(taint, taints.consolidating)) ?? false

export interface TargetTaintDeps {
  readonly client: KubeClient
  readonly state: Pick<ClusterState, 'nodes'>
  readonly log: Logger
}

/**
 * Manages the taint on nodes that consolidation will disrupt soon. kube-scheduler prefers the emptiest node, and consolidation disrupts the
 * emptiest nodes next. Without the taint, a pod would therefore move several times. The taint does not reduce capacity: if no other node
 * has free capacity, kube-scheduler may still place pods on a tainted node. If a write fails, the next search tries again.
 */
export class TargetTaint {
  readonly #deps: TargetTaintDeps

  constructor(deps: TargetTaintDeps) {
    this.#deps = deps
  }

  /** Adds the taint to these nodes, and removes it from all others. */
  async put(target: readonly Pick<Candidate, 'name' | 'state'>[], signal: AbortSignal): Promise<void> {
    const missing = target.flatMap(({ state: { node } }) => (node === undefined || has(node) ? [] : [node]))
    await this.#write(missing, true, signal)
    await this.keepOnly(new Set(target.map(({ name }) => name)), signal)
  }

  /** Removes the taint from all nodes except these. Nodes that are already being disrupted keep it. */
  async keepOnly(names: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const leftOver: Node[] = []
    for (const state of this.#deps.state.nodes()) {
      // Skips a node that cannot be read. Cluster state reports it.
      const found = ifReadable(() => {
        const { node, name, claim, isMarkedForDeletion } = state
        if (node === undefined || claim === undefined || isMarkedForDeletion || names.has(name)) return undefined
        return has(node) ? node : undefined
      })
      if (found !== undefined) leftOver.push(found)
    }
    await this.#write(leftOver, false, signal)
  }

  async #write(nodes: readonly Node[], isWanted: boolean, signal: AbortSignal): Promise<void> {
    const { client, log } = this.#deps
    await mapLimit(nodes, PARALLEL, async ({ metadata, spec }) => {
      const others = (spec.taints ?? []).filter((taint) => !isSameTaint(taint, taints.consolidating))
      const wanted = isWanted ? [...others, taints.consolidating] : others
      const body = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { taints: wanted } }
      try {
        await client.patch(kinds.Node, { name: metadata.name }, { type: 'merge', body }, { signal })
      } catch (error) {
        signal.throwIfAborted()
        if (isConflict(error) || isNotFound(error)) return
        log.error('tainting the target node of consolidation failed', { Node: { name: metadata.name }, error })
      }
    })
  }
}
