import { karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { type OfferingPattern, singleValue } from '@kerf/provider-contract'
import type { CloudCallName, CloudInstance, FailureKind, FakeCloud } from '@kerf/provider-contract/conformance'
import { ApiError, type KubeClient, type VirtualClock } from '@kerf/runtime'
import type { ApiCall, Interceptor } from '@kerf/sandbox'
import { deploymentOffer } from '../instance-type/deployment-offer.ts'
import { mergedTypes } from '../instance-type/merged-types.ts'
import { CLUSTER_API_GROUP, clusterApiAnnotations } from '../names.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import { readMachineDeployment } from '../objects/machine-deployment.ts'
import type { SimulatedKinds } from './simulator/definitions.ts'
import { NAMESPACE, plantedMachine } from './simulator/management-objects.ts'

const failures: Readonly<Record<FailureKind, () => Error>> = {
  throttle: () => new ApiError({ code: 429, reason: 'TooManyRequests', message: 'too many requests' }),
  auth: () =>
    new ApiError({ code: 403, reason: 'Forbidden', message: 'the service account may not patch machinedeployments' }),
  network: () => new ApiError({ code: 0, reason: 'Unreachable', message: 'connection reset' }),
  serverError: () => new ApiError({ code: 500, reason: 'InternalError', message: 'internal error' }),
}

const WRITES: ReadonlySet<ApiCall['verb']> = new Set(['create', 'update', 'patch', 'delete'])

/** Returns true for calls to the management cluster, including discovery. */
const isOfManagement = ({ kind, path }: ApiCall): boolean =>
  kind?.group === CLUSTER_API_GROUP || path?.includes(CLUSTER_API_GROUP) === true

/** Returns true if a request to the management cluster is a call of the given kind. Launches and terminations are writes. */
const isMeant = (name: CloudCallName, { verb }: ApiCall): boolean =>
  name === 'launch' || name === 'terminate' ? WRITES.has(verb) : !WRITES.has(verb)

interface CloudDeps {
  /** A client with administrator permissions. */
  readonly client: KubeClient
  readonly kinds: SimulatedKinds
  readonly clock: VirtualClock
}

/** The suite's control over the management cluster, with simulated controllers. */
export class SimulatedCloud implements FakeCloud {
  readonly interceptor: Interceptor
  readonly #failing = new Map<CloudCallName, FailureKind>()
  /** The calls that take effect before they fail. */
  readonly #failingAfterwards = new Map<CloudCallName, FailureKind>()
  readonly #drops = new Set<(error?: ApiError) => void>()
  readonly #counts = new Map<CloudCallName, number>()
  #deps: CloudDeps | undefined
  #launchLeaked: (() => Promise<{ readonly claim: NodeClaim; readonly providerID: string }>) | undefined

  constructor() {
    this.interceptor = {
      before: (call) => {
        if (!isOfManagement(call)) return
        for (const [name, kind] of this.#failing) if (isMeant(name, call)) throw failures[kind]()
      },
      after: (call) => {
        if (!isOfManagement(call)) return
        for (const [name, kind] of this.#failingAfterwards) if (isMeant(name, call)) throw failures[kind]()
      },
      watching: (call, drop) => {
        if (call.kind?.group !== CLUSTER_API_GROUP) return undefined
        this.#drops.add(drop)
        return () => this.#drops.delete(drop)
      },
    }
  }

  /** Called when the harness has been created. `launchLeaked` launches an instance for a separate NodeClaim. */
  open(deps: CloudDeps, launchLeaked: () => Promise<{ readonly claim: NodeClaim; readonly providerID: string }>): void {
    this.#deps = deps
    this.#launchLeaked = launchLeaked
  }

  get #open(): CloudDeps {
    if (this.#deps === undefined) throw new Error('the harness is not there yet')
    return this.#deps
  }

  /** Returns Machines with a providerID, and those that will get one. A marked Machine is terminating. */
  async instances(): Promise<readonly CloudInstance[]> {
    return (await this.#machines()).map((machine) => ({
      providerID: machine.providerId ?? `pending ${machine.name}`,
      state: machine.isDeleting || machine.isMarkedForDeletion ? 'terminating' : 'running',
      tags: { ...machine.labels, ...machine.annotations },
    }))
  }

  fail(call: CloudCallName, kind: FailureKind): void {
    this.#failing.set(call, kind)
    if (call === 'list' || call === 'describe') for (const drop of [...this.#drops]) drop()
  }

  failAfterwards(call: 'launch' | 'terminate', kind: FailureKind): void {
    this.#failingAfterwards.set(call, kind)
  }

  recover(): void {
    this.#failing.clear()
    this.#failingAfterwards.clear()
  }

  /** Simulates a lack of capacity: the MachineDeployments have reached their maximum size. */
  stockOut(pattern: OfferingPattern): void {
    void this.#limit(pattern, true)
  }

  restock(): void {
    void this.#limit({}, false)
  }

  count(call: CloudCallName): number {
    return this.#counts.get(call) ?? 0
  }

  /** Counts a write that a watcher of the management cluster saw. Only the content of the write shows which call it was. */
  counted(call: CloudCallName): void {
    this.#counts.set(call, this.count(call) + 1)
  }

  async plantForeign(): Promise<string> {
    const { client, kinds: played } = this.#open
    const providerID = 'in-memory://foreign'
    await client.create(
      played.Machine,
      plantedMachine(played, 'foreign', { providerID, cluster: 'other', isMember: true }),
    )
    return providerID
  }

  /**
   * Launches an instance, then deletes its NodeClaim without deleting the instance. The API server sets the creation time, so the check
   * must wait until the instance is old enough.
   */
  async plantLeaked(): Promise<string> {
    if (this.#launchLeaked === undefined) throw new Error('the harness is not there yet')
    const { claim, providerID } = await this.#launchLeaked()
    await this.#open.client.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
    return providerID
  }

  async vanish(providerID: string): Promise<void> {
    const { client, kinds: played, clock } = this.#open
    const machine = (await this.#machines()).find((each) => each.providerId === providerID)
    if (machine === undefined) throw new Error(`no Machine has the provider ID ${providerID}`)
    const { namespace, name } = machine
    await client.patch(played.Machine, { namespace, name }, { type: 'merge', body: { metadata: { finalizers: null } } })
    await client.delete(played.Machine, { namespace, name })
    await client.delete(kinds.Node, { name }).catch(() => {})
    await clock.advance(100)
  }

  async #machines(): Promise<readonly Machine[]> {
    const { client, kinds: played } = this.#open
    return (await client.list(played.Machine)).items.map((item) => readMachine(item)).filter(isWorker)
  }

  async #limit(pattern: OfferingPattern, isOut: boolean): Promise<void> {
    const { client, kinds: played } = this.#open
    for (const item of (await client.list(played.MachineDeployment)).items) {
      const deployment = readMachineDeployment(item)
      const agrees = mergedTypes([deploymentOffer(deployment, true)]).types.some((type) =>
        type.offerings.some(
          ({ requirements }) =>
            (pattern.instanceType ?? type.name) === type.name &&
            [
              [pattern.zone, 'topology.kubernetes.io/zone'] as const,
              [pattern.capacityType, 'karpenter.sh/capacity-type'] as const,
            ].every(([wanted, key]) => wanted === undefined || singleValue(requirements, key) === wanted),
        ),
      )
      if (!agrees) continue
      const annotations = { [clusterApiAnnotations.maxSize]: isOut ? String(deployment.replicas) : null }
      await client.patch(
        played.MachineDeployment,
        { namespace: NAMESPACE, name: deployment.name },
        { type: 'merge', body: { metadata: { annotations } } },
      )
    }
  }
}

/** Returns true unless the Machine belongs to the control plane. */
const isWorker = ({ labels }: Machine): boolean => labels['cluster.x-k8s.io/control-plane'] === undefined
