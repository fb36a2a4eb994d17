import { kinds, type Milliseconds, type Node } from '@kerf/apis'
import { ApiError, type Clock, type KubeClient, type Random } from '@kerf/runtime'

/** The shortest time from the launch of an instance to its registered Node. */
const FASTEST_BOOT: Milliseconds = 15_000
const SLOWEST_BOOT: Milliseconds = 35_000
/**
 * How long after the termination of an instance its Node is deleted. The cloud's node controller checks nodes that are not ready, and
 * deletes a Node if its instance is terminated (Kubernetes documentation, "Cloud Controller Manager", node controller).
 */
const NODE_REMOVED_AFTER: Milliseconds = 50_000

export interface KubeletsDeps {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  /** Stops the kubelet of a node whose instance is terminated. */
  readonly silence: (nodeName: string) => void
  /** Reports whether the next instance to boot will never register. */
  readonly neverRegisters: () => boolean
  /** Returns the Node that an instance registers. Returns undefined if the instance is terminated or cannot join. */
  readonly nodeOf: (id: string) => Node | undefined
}

/**
 * Simulates the kubelets of instances that the sandbox does not boot. Each kubelet registers its Node, and stops when its instance
 * terminates.
 */
export class InstanceKubelets {
  readonly #deps: KubeletsDeps
  /** Names of nodes whose instance is terminated. */
  readonly #gone = new Set<string>()

  constructor(deps: KubeletsDeps) {
    this.#deps = deps
  }

  /** Reports whether the node's instance is terminated. Its kubelet then cannot recover. */
  isGone(nodeName: string): boolean {
    return this.#gone.has(nodeName)
  }

  /** Boots a launched instance. */
  boot(id: string): void {
    // On some clouds, a NodeClaim's new instance has the same name as its earlier instance.
    this.#gone.delete(id)
    const { clock, random, neverRegisters } = this.#deps
    if (neverRegisters()) return
    const duration = FASTEST_BOOT + random.next() * (SLOWEST_BOOT - FASTEST_BOOT)
    clock.timer(Math.round(duration), () => void this.#register(id))
  }

  /** Terminates the instance of a node after `delay`. */
  end(nodeName: string, delay: Milliseconds): void {
    const { clock, silence } = this.#deps
    clock.timer(delay, () => {
      if (this.#gone.has(nodeName)) return
      this.#gone.add(nodeName)
      silence(nodeName)
      clock.timer(NODE_REMOVED_AFTER, () => void this.#remove(nodeName))
    })
  }

  async #register(id: string): Promise<void> {
    const { client, nodeOf } = this.#deps
    const node = nodeOf(id)
    if (node === undefined) return
    try {
      await client.create(kinds.Node, node)
    } catch (error) {
      // The Node of an earlier instance with the same name still exists.
      if (!(error instanceof ApiError) || error.code !== 409) throw error
    }
    const ref = { name: node.metadata.name }
    try {
      await client.patch(kinds.Node, ref, { type: 'merge', body: { status: node.status } }, { subresource: 'status' })
    } catch (error) {
      // A user may have deleted the Node by hand.
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
  }

  async #remove(name: string): Promise<void> {
    if (!this.#gone.has(name)) return
    try {
      await this.#deps.client.delete(kinds.Node, { name })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
  }
}
