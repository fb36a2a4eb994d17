import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Condition, type KubeObject, kinds } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { ignoreGone } from '../../../../tests/integration/kubelets/kubelet-status.ts'
import { clusterFingerprint } from '../../../../tests/integration/story/cluster-state.ts'
import { httpClient } from '../../../../tests/integration/story/story-cluster.ts'
import { freePort } from '../../../../tests/support/control-plane/src/index.ts'
import { untilTrue, type Wait } from '../../../../tests/support/control-plane/src/progress.ts'
import { BoundPods } from './bound-pods.ts'
import { removeWebhooks, startClusterApi } from './cluster-api.ts'
import { clusterApiKinds, type Machine } from './kinds.ts'
import type { ManagerProcesses } from './manager-processes.ts'
import { NodeBridge } from './node-bridge.ts'
import { WorkloadCluster } from './workload-cluster.ts'

/** The fixed port of the development infrastructure provider. It allows only one harness at a time on a machine. */
const DEBUG_PORT = 19_000
/** The maximum time without progress. Cluster API's controllers pause for up to a minute between two attempts. */
const QUIET_SECONDS = 180
/** How long another run may use its harness. */
const FREE_WITHIN_SECONDS = 600

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })

const untilFree = (port: number): Promise<void> =>
  untilTrue(() => isFree(port), {
    what: `port ${port} to be free`,
    state: () => 'It is taken: by another Cluster API harness, or by a program to be ended first.',
    quietSeconds: FREE_WITHIN_SECONDS,
    everyMs: 1_000,
  })

/** Starts the managers, and retries if another process takes a port between the search for a free one and the start. */
const startManagers = async (client: KubeClient, kubeconfig: string): Promise<ManagerProcesses> => {
  for (let tries = 1; ; tries += 1) {
    await untilFree(DEBUG_PORT)
    try {
      return await startClusterApi(client, kubeconfig)
    } catch (error) {
      const isConflict = error instanceof Error && /address already in use/.test(error.message)
      if (tries === 3 || !isConflict) throw error
    }
  }
}

const objectCondition = (object: KubeObject, type: string): string | undefined => {
  const { conditions } = (object as { readonly status?: { readonly conditions?: readonly Condition[] } }).status ?? {}
  return conditions?.find((condition) => condition.type === type)?.status
}

const harnessKinds = [clusterApiKinds.Cluster, clusterApiKinds.Machine, clusterApiKinds.DevMachine]

/**
 * Returns the options with which a test waits for Cluster API. The wait continues while objects of Cluster API, or the text that `more`
 * returns, still change.
 */
const harnessWait = (
  client: KubeClient,
  { namespace }: WorkloadCluster,
  what: string,
  more: () => Promise<string> = async () => '',
): Wait => ({
  what,
  fingerprint: async () => {
    const lists = await Promise.all(harnessKinds.map((kind) => client.list<KubeObject>(kind, { namespace })))
    const versions = lists.flatMap(({ items }) => items).map(({ metadata }) => metadata.resourceVersion)
    return `${versions.join(' ')}\n${await more()}`
  },
  quietSeconds: QUIET_SECONDS,
})

/** A real control plane under the harness. */
interface Plane {
  readonly kubeconfig: string
}

export interface HarnessOptions {
  /** The cluster of the Nodes and pods. The default is the management cluster. */
  readonly nodesIn?: Plane
  /** Called with one line after each step of the start. */
  readonly progress?: (line: string) => void
}

/**
 * One or two real control planes. In the management cluster, Cluster API's own controllers create Machines for the MachineDeployments. The
 * bridge creates Nodes for these Machines. The Nodes run pods in the management cluster or in a separate workload cluster.
 */
export class ClusterApiHarness {
  /** The management cluster. */
  readonly client: KubeClient
  /** The client of the cluster with the Nodes. */
  readonly nodes: KubeClient
  readonly workload: WorkloadCluster
  /** A client of the in-memory API server, with the access that Cluster API uses. */
  readonly inMemory: KubeClient
  readonly managers: ManagerProcesses
  readonly #bridge: NodeBridge
  readonly #pods: BoundPods
  readonly #close: readonly (() => Promise<void>)[]

  private constructor(deps: {
    readonly client: ReturnType<typeof httpClient>
    readonly nodes: ReturnType<typeof httpClient>
    readonly inMemory: ReturnType<typeof httpClient>
    readonly workload: WorkloadCluster
    readonly managers: ManagerProcesses
  }) {
    const { client, nodes, inMemory, workload, managers } = deps
    this.client = client
    this.nodes = nodes
    this.inMemory = inMemory
    this.workload = workload
    this.managers = managers
    this.#bridge = new NodeBridge({
      management: client,
      namespace: workload.namespace,
      workload: inMemory,
      target: nodes,
    })
    this.#pods = new BoundPods(nodes, (node) => this.#bridge.has(node))
    this.#close = [() => inMemory.close(), () => nodes.close(), () => client.close()]
  }

  /**
   * Starts the managers and a workload cluster with one control plane machine, and mirrors its node. This takes about a minute. Half of it
   * is a pause of Cluster API before its second check of the new API server.
   */
  static async start(management: Plane, options: HarnessOptions = {}): Promise<ClusterApiHarness> {
    const { nodesIn = management, progress = () => undefined } = options
    const client = httpClient(management)
    const managers = await startManagers(client, management.kubeconfig)
    try {
      progress('managers ready')
      const workload = new WorkloadCluster(client, 'bed')
      await workload.create(await freePort())
      const object = { namespace: workload.namespace, name: workload.name }
      const isAvailable = async (): Promise<boolean> =>
        objectCondition(await client.get(clusterApiKinds.Cluster, object), 'ControlPlaneAvailable') === 'True'
      await untilTrue(isAvailable, harnessWait(client, workload, 'the control plane of the workload cluster'))
      progress('workload cluster available')
      const kubeconfig = join(managers.directory, 'workload.kubeconfig')
      writeFileSync(kubeconfig, (await workload.kubeconfig()) ?? '', { mode: 0o600 })
      const inMemory = httpClient({ kubeconfig })
      const harness = new ClusterApiHarness({ client, nodes: httpClient(nodesIn), inMemory, workload, managers })
      harness.#bridge.start()
      harness.#pods.start()
      return harness
    } catch (error) {
      await removeWebhooks(client).finally(() => managers.stop())
      await client.close()
      throw error
    }
  }

  /** Returns the Machines of a MachineDeployment, or all Machines. */
  async machines(deployment?: string): Promise<readonly Machine[]> {
    const { namespace } = this.workload
    const labelSelector =
      deployment === undefined ? {} : { labelSelector: `cluster.x-k8s.io/deployment-name=${deployment}` }
    return (await this.client.list(clusterApiKinds.Machine, { namespace, ...labelSelector })).items
  }

  /** Makes the node of a machine report that it is not ready, like a kubelet that cannot run pods. */
  async failNode(name: string): Promise<void> {
    const { status } = await this.inMemory.get(kinds.Node, { name })
    const conditions = status?.conditions?.map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False', reason: 'KubeletNotReady' } : condition,
    )
    await this.inMemory.patch(kinds.Node, { name }, { type: 'merge', body: { status: { conditions } } })
  }

  /**
   * Removes a Machine object but keeps its machine, like a failed `clusterctl move`. The Cluster must be paused. Cluster API's controller
   * restores its finalizer on any Machine that is not being deleted, even a paused one. Therefore the method first deletes the Machine, and
   * then removes its finalizer. The DevMachine has no owner by then, so the garbage collector keeps it. The deletion policy Orphan would
   * take so long that all watchers would see a Machine that is being deleted.
   */
  async forgetMachine(name: string): Promise<void> {
    const ref = { namespace: this.workload.namespace, name }
    const unowned = { metadata: { ownerReferences: null } }
    await this.client.patch(clusterApiKinds.DevMachine, ref, { type: 'merge', body: unowned })
    const free = { type: 'merge', body: { metadata: { finalizers: null } } } as const
    await this.client.delete(clusterApiKinds.Machine, ref, { propagationPolicy: 'Background' })
    await this.client.patch(clusterApiKinds.Machine, ref, free).catch(ignoreGone)
    await this.until('the end of the Machine object', async () =>
      (await this.machines()).every(({ metadata }) => metadata.name !== name),
    )
  }

  /** Deletes the infrastructure of a machine that has no Machine object. */
  async endForgotten(name: string): Promise<void> {
    const ref = { namespace: this.workload.namespace, name }
    await this.client.patch(clusterApiKinds.DevMachine, ref, {
      type: 'merge',
      body: { metadata: { finalizers: null } },
    })
    await this.client.delete(clusterApiKinds.DevMachine, ref)
    // The in-memory API server deletes the Node, and responds without an object.
    await this.inMemory.delete(kinds.Node, { name }).catch((error: unknown) => {
      if (!/is not JSON/.test(String(error))) throw error
    })
  }

  /** Waits until `isSo` returns true. @throws Error with the current state if the clusters make no more progress */
  until(what: string, isSo: () => Promise<boolean>, state?: () => Promise<string>): Promise<void> {
    const { client, nodes, workload } = this
    const ofNodes = (): Promise<string> => clusterFingerprint(nodes)
    return untilTrue(isSo, {
      ...harnessWait(client, workload, what, ofNodes),
      ...(state === undefined ? {} : { state }),
    })
  }

  /** Pauses or resumes the Cluster. */
  async pause(paused: boolean): Promise<void> {
    const { name, namespace } = this.workload
    await this.client.patch(clusterApiKinds.Cluster, { namespace, name }, { type: 'merge', body: { spec: { paused } } })
  }

  /** Deletes the workload cluster as a user would, and waits until none of its objects are left. */
  async deleteWorkload(): Promise<void> {
    const { name, namespace } = this.workload
    await this.pause(false)
    await this.client.delete(clusterApiKinds.Cluster, { name, namespace })
    await this.until('the end of the workload cluster', async () => {
      const lists = harnessKinds.map((kind) => this.client.list<KubeObject>(kind, { namespace }))
      return (await Promise.all(lists)).every(({ items }) => items.length === 0)
    })
    await this.#bridge.removeAll()
  }

  /** Ends every process. The objects stay and can be deleted. The code that lent the cluster empties it. */
  async stop(): Promise<void> {
    await this.#pods.stop()
    await this.#bridge.stop()
    await removeWebhooks(this.client).finally(() => this.managers.stop())
    for (const close of this.#close) await close()
  }
}
