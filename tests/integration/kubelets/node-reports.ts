import { kinds, type Node, type ResourceList } from '@kerf/apis'
import { isAlreadyExists, type KubeClient } from '@kerf/runtime'
import { ignoreGone, readyNode, runningPod } from './kubelet-status.ts'

type Amounts = ResourceList

interface Reported {
  readonly capacity: Amounts
  readonly allocatable: Amounts
}

/** The time between two heartbeats of a kubelet. */
const EVERY_MS = 10_000

const nodeReady = ({ status }: Node) =>
  status?.conditions?.find(({ type, status: is }) => type === 'Ready' && is === 'True')

/**
 * Writes what kubelets report. For a Node, it writes the capacity until the API server has it, and the readiness periodically. For pods
 * bound to the Node, it writes their status.
 */
export class NodeReports {
  readonly #client: KubeClient
  readonly #amounts = new Map<string, Reported>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** Returns whether this object simulates the kubelet of the node. */
  has(node: string): boolean {
    return this.#amounts.has(node)
  }

  /**
   * Creates the Node. Returns whether it exists. A Node with the same name that belongs to another machine and is being deleted does not
   * count.
   */
  async register(node: Node, capacity: Amounts, allocatable: Amounts = capacity): Promise<boolean> {
    const { name = '' } = node.metadata
    try {
      await this.#client.create(kinds.Node, node)
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      const there = await this.#client.get(kinds.Node, { name })
      if (there.spec.providerID !== node.spec.providerID) return false
    }
    this.#amounts.set(name, { capacity, allocatable })
    return true
  }

  /** Runs one round: every kubelet writes what it has to report. Does not create deleted Nodes again. */
  async send(isUp: (node: string) => boolean = () => true): Promise<void> {
    for (const node of (await this.#client.list(kinds.Node)).items) {
      const { name = '' } = node.metadata
      const amounts = this.#amounts.get(name)
      if (amounts === undefined || !isUp(name)) continue
      const now = Date.now()
      const { lastHeartbeatTime: heard = '', lastTransitionTime: since } = nodeReady(node) ?? {}
      if (now - Date.parse(heard) < EVERY_MS) continue
      const status = readyNode(amounts, now, since === undefined ? now : Date.parse(since))
      await this.#client
        .patch(kinds.Node, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
        .catch(ignoreGone)
    }
  }
  /**
   * Runs one round for the pods that are bound to these Nodes. Reports them as running. Removes pods that are being deleted or whose node
   * is down.
   */
  async runPods(isUp: (node: string) => boolean): Promise<void> {
    for (const pod of (await this.#client.list(kinds.Pod)).items) {
      const node = pod.spec.nodeName ?? ''
      if (!this.has(node)) continue
      const { name = '', namespace = 'default', deletionTimestamp } = pod.metadata
      const ref = { name, namespace }
      if (deletionTimestamp !== undefined || !isUp(node)) {
        await this.#client.delete(kinds.Pod, ref, { gracePeriodSeconds: 0 }).catch(ignoreGone)
      } else if (pod.status?.phase !== 'Running') {
        const body = { status: runningPod(pod, Date.now()) }
        await this.#client.patch(kinds.Pod, ref, { type: 'merge', body }, { subresource: 'status' }).catch(ignoreGone)
      }
    }
  }
}
