import { kinds, type Milliseconds } from '@kerf/apis'
import { type FakeEc2, type FakeInstance, fakeNode } from '@kerf/provider-aws/testing'
import { ApiError, type Clock, type KubeClient, type Random } from '@kerf/runtime'

/** From the launch to a registered Node. */
const FASTEST_BOOT: Milliseconds = 15_000
const SLOWEST_BOOT: Milliseconds = 35_000
/**
 * The cloud's node controller asks about nodes that are not ready, and deletes the Nodes of terminated instances
 * (Kubernetes documentation, "Cloud Controller Manager", node controller): some seconds after a Lease has run out.
 */
const NODE_REMOVED_AFTER: Milliseconds = 50_000

const idOf = ({ data }: FakeInstance): string => data.InstanceId

export interface KubeletsParts {
  readonly ec2: FakeEc2
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  /** Silences the kubelet of a node whose instance is terminated. */
  readonly silence: (nodeName: string) => void
  /** Whether the next instance to boot never registers. */
  readonly neverRegisters: () => boolean
}

/** The kubelets of the instances. Each registers its Node as the user data says. */
export class AwsKubelets {
  readonly #parts: KubeletsParts
  /** Nodes whose instance is terminated. */
  readonly #gone = new Set<string>()

  constructor(parts: KubeletsParts) {
    this.#parts = parts
    parts.ec2.watchers.push({
      launched: (instance) => this.#boot(idOf(instance)),
      ending: (instance) => this.#end(idOf(instance), instance.endsAt),
    })
  }

  /** Whether the node's instance is terminated, so that its kubelet cannot come back. */
  isGone(nodeName: string): boolean {
    return this.#gone.has(nodeName)
  }

  #boot(id: string): void {
    const { clock, random, neverRegisters } = this.#parts
    if (neverRegisters()) return
    const duration = FASTEST_BOOT + random.next() * (SLOWEST_BOOT - FASTEST_BOOT)
    clock.timer(Math.round(duration), () => void this.#register(id))
  }

  async #register(id: string): Promise<void> {
    const { ec2, client } = this.#parts
    const instance = ec2.instances.get(id)
    if (instance === undefined || instance.endsAt !== undefined) return
    const node = fakeNode(instance, ec2.types)
    if (node === undefined) return
    await client.create(kinds.Node, node)
    const ref = { name: node.metadata.name }
    try {
      await client.patch(kinds.Node, ref, { type: 'merge', body: { status: node.status } }, { subresource: 'status' })
    } catch (error) {
      // Somebody deletes nodes by hand.
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
  }

  #end(id: string, endsAt: Milliseconds): void {
    const { clock, silence } = this.#parts
    const name = `ip-${id}`
    clock.timer(endsAt - clock.monotonic(), () => {
      if (this.#gone.has(name)) return
      this.#gone.add(name)
      silence(name)
      clock.timer(NODE_REMOVED_AFTER, () => void this.#remove(name))
    })
  }

  async #remove(name: string): Promise<void> {
    try {
      await this.#parts.client.delete(kinds.Node, { name })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error
    }
  }
}
