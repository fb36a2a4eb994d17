import { kinds, type Node, type Taint } from '@kerf/apis'
import { isAlreadyExists, isNotFound, type KubeClient } from '@kerf/runtime'
import { ignoreGone } from '../../../../tests/integration/kubelets/kubelet-status.ts'
import { clusterApiKinds } from './kinds.ts'
import { readRegistration } from './registration.ts'

/** The interval between two heartbeats of a kubelet. */
const HEARTBEAT_MS = 10_000

const LABELS_FROM_MACHINE = 'cluster.x-k8s.io/labels-from-machine'
const UNINITIALIZED = 'node.cluster.x-k8s.io/uninitialized'

const sameTaint = (one: Taint, other: Taint): boolean => one.key === other.key && one.effect === other.effect

const without = (taints: readonly Taint[], removed: readonly Taint[]): readonly Taint[] =>
  taints.filter((taint) => !removed.some((each) => sameTaint(each, taint)))

const nodeReady = (node: Node) => node.status?.conditions?.find(({ type }) => type === 'Ready')

export interface BridgeDeps {
  /** The client of the cluster with the Machines. */
  readonly management: KubeClient
  readonly namespace: string
  /** The client of the API server in the memory of the development infrastructure provider. */
  readonly workload: KubeClient
  /** The client of the cluster in which the Nodes are created and the pods run. */
  readonly target: KubeClient
}

/**
 * Mirrors the Nodes of an in-memory workload cluster, which schedules nothing and runs no pods, to a real control plane. It also simulates
 * the kubelets. It registers each Node once, with the capacity of its MachineDeployment and with the labels and taints of the machine's
 * bootstrap data. Then it copies every change of a Node in memory: labels, taints, cordons, conditions and deletions. It keeps what others
 * write to the real Node.
 */
export class NodeBridge {
  readonly #deps: BridgeDeps
  readonly #stop = new AbortController()
  /** The last mirrored state of each Node in memory. */
  readonly #mirrored = new Map<string, Node>()
  #running: Promise<void> = Promise.resolve()

  constructor(deps: BridgeDeps) {
    this.#deps = deps
  }

  /**
   * Compares both clusters at this interval in milliseconds, because the in-memory API server does not deliver watch events line by line.
   */
  start(every = 300): void {
    this.#running = this.#loop(every)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Ends the mirroring and deletes the mirrored Nodes, because the workload cluster is deleted. */
  async removeAll(): Promise<void> {
    await this.stop()
    for (const name of this.#mirrored.keys()) await this.#deps.target.delete(kinds.Node, { name }).catch(ignoreGone)
    this.#mirrored.clear()
  }

  /** Returns whether the bridge simulates the kubelet of a Node. */
  has(name: string): boolean {
    return this.#mirrored.has(name)
  }

  async #loop(every: number): Promise<void> {
    let said = ''
    while (!this.#stop.signal.aborted) {
      try {
        await this.#look()
      } catch (error) {
        // An unreachable API server causes the same error in many rounds, so the bridge prints the error only once.
        const text = String(error).slice(0, 300)
        if (text !== said) process.stderr.write(`node bridge: ${text}\n`)
        said = text
      }
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  async #look(): Promise<void> {
    const { workload, target } = this.#deps
    const memory = await workload.list(kinds.Node)
    const real = new Map((await target.list(kinds.Node)).items.map((node) => [node.metadata.name, node]))
    const names = new Set(memory.items.map(({ metadata }) => metadata.name))
    for (const node of memory.items) {
      const { name, creationTimestamp } = node.metadata
      const before = this.#mirrored.get(name)
      const there = real.get(name)
      try {
        if (before === undefined || before.metadata.creationTimestamp !== creationTimestamp) await this.#register(node)
        // A kubelet registers its Node only at its start, so a deleted Node is not created again.
        else if (there !== undefined) await this.#update(before, node, there)
        this.#mirrored.set(name, node)
      } catch (error) {
        // Another writer changed the Node first. The next round computes the change again.
        ignoreGone(error)
      }
    }
    for (const name of this.#mirrored.keys()) {
      // After a restart, the infrastructure provider's memory is empty for a while, although the machines still exist.
      if (names.has(name) || !(await this.#isEnding(name))) continue
      await target.delete(kinds.Node, { name }).catch(ignoreGone)
      this.#mirrored.delete(name)
    }
  }

  async #isEnding(name: string): Promise<boolean> {
    const { management, namespace } = this.#deps
    try {
      const machine = await management.get(clusterApiKinds.Machine, { namespace, name })
      return machine.metadata.deletionTimestamp !== undefined
    } catch (error) {
      if (isNotFound(error)) return true
      throw error
    }
  }

  async #register(node: Node): Promise<void> {
    const { name, labels, annotations } = node.metadata
    const { management, namespace, target } = this.#deps
    const registration = await readRegistration(management, { namespace, name })
    const { capacity } = registration
    const taints = [...registration.taints, ...(node.spec.taints ?? [])]
    const mirror: Node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...registration.labels, ...labels }, ...(annotations && { annotations }) },
      spec: { providerID: node.spec.providerID ?? '', taints },
    }
    await target.create(kinds.Node, mirror).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error
    })
    await target.patch(
      kinds.Node,
      { name },
      { type: 'merge', body: { status: { capacity, allocatable: capacity, ...heard(node) } } },
      { subresource: 'status' },
    )
  }

  async #update(before: Node, now: Node, there: Node): Promise<void> {
    const { target } = this.#deps
    const { name, resourceVersion } = there.metadata
    const changes = { ...metadataChanges(before, now), ...specChanges(before, now, there) }
    if (Object.keys(changes).length > 0) {
      const { metadata = {}, ...rest } = changes
      const body = { metadata: { ...metadata, resourceVersion }, ...rest }
      await target.patch(kinds.Node, { name }, { type: 'merge', body })
    }
    const said = nodeReady(there)
    const isStale = Date.now() - Date.parse(said?.lastHeartbeatTime ?? '') > HEARTBEAT_MS
    if (said !== undefined && said.status === nodeReady(now)?.status && !isStale) return
    await target.patch(kinds.Node, { name }, { type: 'merge', body: { status: heard(now) } }, { subresource: 'status' })
  }
}

/** Returns the conditions of a Node with the current time as heartbeat. */
const heard = (node: Node): Pick<NonNullable<Node['status']>, 'conditions'> => {
  const lastHeartbeatTime = `${new Date().toISOString().slice(0, 19)}Z`
  return { conditions: (node.status?.conditions ?? []).map((condition) => ({ ...condition, lastHeartbeatTime })) }
}

type Texts = Readonly<Record<string, string>>

/** Returns the changes from `before` to `now`, with `null` for removed keys. Returns undefined if both are equal. */
const difference = (before: Texts = {}, now: Texts = {}): Readonly<Record<string, string | null>> | undefined => {
  const gone = Object.keys(before).filter((key) => !(key in now))
  const changed = Object.entries(now).filter(([key, value]) => before[key] !== value)
  if (gone.length + changed.length === 0) return undefined
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed])
}

const metadataChanges = (before: Node, now: Node): { readonly metadata?: object } => {
  const labels = difference(before.metadata.labels, now.metadata.labels)
  const annotations = difference(before.metadata.annotations, now.metadata.annotations)
  if (labels === undefined && annotations === undefined) return {}
  return { metadata: { ...(labels && { labels }), ...(annotations && { annotations }) } }
}

const specChanges = (before: Node, now: Node, there: Node): { readonly spec?: object } => {
  const [old = [], fresh = [], real = []] = [before.spec.taints, now.spec.taints, there.spec.taints]
  // Cluster API removes this taint when it writes its labels. In memory, the taint may be missing.
  const isSynced = now.metadata.annotations?.[LABELS_FROM_MACHINE] !== undefined
  const gone = [...without(old, fresh), ...(isSynced ? real.filter(({ key }) => key === UNINITIALIZED) : [])]
  const taints = [...without(real, gone), ...without(without(fresh, old), real)]
  const isCordoned = now.spec.unschedulable ?? false
  const changesCordon = isCordoned !== (before.spec.unschedulable ?? false)
  if (gone.length === 0 && taints.length === real.length && !changesCordon) return {}
  return { spec: { taints, ...(changesCordon && { unschedulable: isCordoned }) } }
}
