import {
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  noVocabulary,
  type ResourceKind,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { defaultFeatureGates, type KubeClient, SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { Session } from '../../../packages/cli/src/up/session.ts'
import type { EditedObjects } from '../../../packages/dashboard/plugin/src/model/edit-forecast.ts'
import {
  type ReportedInstanceTypes,
  reportedInstanceTypes,
} from '../../../packages/dashboard/plugin/src/model/reported-instance-types.ts'

const MINUTE = 60_000
/** The cluster counts as settled if no object that a forecast names has changed for this long. */
const QUIET = 6 * MINUTE
/** If a cluster has not settled after this time, it never will. */
const LONGEST = 6 * 60 * MINUTE

/**
 * Returns the instance types with a price that differs a little between zones. The provider chooses among equally cheap zones by the UID of
 * the NodeClaim, which no forecast knows.
 */
const withZonePrices = (types: readonly InstanceType[]): readonly InstanceType[] =>
  types.map((type) => ({
    ...type,
    offerings: type.offerings.map((offering) => {
      const zone = offering.requirements.find(({ key }) => key === labels.zone)?.values?.[0] ?? ''
      const premium = (zone.codePointAt(zone.length - 1) ?? 0) / 100_000
      return offering.price === undefined ? offering : { ...offering, price: offering.price * (1 + premium) }
    }),
  }))

/** The key of the startup taint of the edits. */
export const STARTUP_TAINT = 'boot'

const isTrue = ({ status }: NodeClaim, type: string): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false

const LISTS = {
  pools: karpenterKinds.NodePool,
  claims: karpenterKinds.NodeClaim,
  nodes: kinds.Node,
  pods: kinds.Pod,
  daemonSets: kinds.DaemonSet,
  namespaces: kinds.Namespace,
  persistentVolumeClaims: kinds.PersistentVolumeClaim,
  persistentVolumes: kinds.PersistentVolume,
  storageClasses: kinds.StorageClass,
  disruptionBudgets: kinds.PodDisruptionBudget,
} as const

/** A cluster with a controller, in virtual time. */
export interface EditedBackend {
  readonly clock: VirtualClock
  readonly client: KubeClient
  apply(objects: readonly KubeObject[]): Promise<unknown>
  /** Returns the controller's response to a request. */
  answer(path: string): Promise<object | undefined>
  /** Advances the clock itself. */
  stop(): Promise<void>
}

/** Starts a sandbox cluster with Kerf and the KWOK provider. */
const startSandbox = async (seed: number): Promise<EditedBackend> => {
  const clock = new VirtualClock({ start: Date.UTC(2026, 0, 5) })
  const random = new SeededRandom(seed)
  const cluster = new SandboxCluster({ clock, random: random.fork('sandbox'), events: false })
  const session = new Session({
    cluster: {
      ...{ name: 'edits', clock, random: random.fork('kerf'), client: cluster.api.client(), kubeconfig: '' },
      ...{ disposable: true, playsKubelets: true },
      close: async () => {},
    },
    logger: silentLogger,
    instanceTypes: withZonePrices(await loadInstanceTypes()),
    labels: noVocabulary,
    featureGates: defaultFeatureGates,
    onDecision: () => {},
  })
  const { signal } = new AbortController()
  await cluster.start()
  await clock.advanceUntilDone(session.prepare(signal), 10)
  session.start()
  return {
    ...{ clock, client: cluster.client },
    apply: (objects) =>
      session.apply(
        objects.map((object) => ({ object, file: 'edits', line: 0 })),
        signal,
      ),
    answer: (path) => session.answer(path, signal),
    stop: () => clock.advanceUntilDone(session.stop(), 10),
  }
}

/** A cluster with Kerf in virtual time, whose NodePools and node classes a test edits. */
export class EditedCluster {
  readonly #backend: EditedBackend
  /** Names of the NodeClaims that were marked as drifted at any time. */
  readonly #drifted = new Set<string>()
  #stillDrifted: readonly string[] = []

  constructor(backend: EditedBackend) {
    this.#backend = backend
  }

  /** Starts a sandbox cluster with the KWOKNodeClass `default`. */
  static async start(seed: number): Promise<EditedCluster> {
    const edited = new EditedCluster(await startSandbox(seed))
    await edited.apply(kwokNodeClass('default'))
    return edited
  }

  #driven<T>(work: Promise<T>): Promise<T> {
    return this.#backend.clock.advanceUntilDone(work, 10)
  }

  now(): number {
    return this.#backend.clock.now()
  }

  async apply(...objects: readonly KubeObject[]): Promise<void> {
    await this.#driven(this.#backend.apply(objects))
  }

  async get<T extends KubeObject>(kind: ResourceKind<T>, name: string): Promise<T> {
    return await this.#driven(this.#backend.client.get(kind, { name }))
  }

  /** Stores an edited object, as the editor does. */
  async store<T extends KubeObject>(object: T, kind: ResourceKind<T>): Promise<void> {
    const { resourceVersion } = (await this.get(kind, object.metadata.name)).metadata
    const metadata = { ...object.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) }
    await this.#driven(this.#backend.client.update(kind, { ...object, metadata }))
  }

  /** Returns the objects that the dashboard loads. */
  async objects(): Promise<EditedObjects> {
    const lists: (readonly [string, readonly unknown[]])[] = []
    for (const [name, kind] of Object.entries(LISTS)) {
      const { items } = await this.#driven(this.#backend.client.list(kind as never))
      lists.push([name, items])
    }
    return Object.fromEntries(lists) as unknown as EditedObjects
  }

  /** Returns what the controller reports about instance types. */
  async instanceTypes(): Promise<ReportedInstanceTypes> {
    const read = reportedInstanceTypes(await this.#driven(this.#backend.answer('/kerf/v1/instance-types')))
    if (read === undefined) throw new Error('the controller reports no instance types')
    return read
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.#driven(this.#backend.client.list(karpenterKinds.NodeClaim))).items
  }

  /** Returns the names of the NodeClaims that were marked as drifted while the cluster settled. */
  drifted(): readonly string[] {
    return [...this.#drifted].sort()
  }

  /** Returns the names of the NodeClaims that were marked as drifted when the cluster had settled. */
  stillDrifted(): readonly string[] {
    return this.#stillDrifted
  }

  /** Advances time until the nodes, the drift and the bindings of pods have not changed for `quiet` milliseconds. */
  async settle(quiet = QUIET): Promise<void> {
    const { client } = this.#backend
    let last = ''
    let since = this.now()
    for (const begin = since; ; await this.#backend.clock.advance(15_000)) {
      const [claims, { items: pods }] = [await this.claims(), await this.#driven(client.list(kinds.Pod))]
      const drifted = claims.filter((claim) => isTrue(claim, 'Drifted')).map(({ metadata }) => metadata.name)
      for (const name of drifted) this.#drifted.add(name)
      this.#stillDrifted = drifted
      const state = JSON.stringify([
        claims.map((claim) => [claim.metadata.name, claim.metadata.deletionTimestamp, isTrue(claim, 'Initialized')]),
        drifted,
        pods.map(({ metadata, spec }) => [metadata.uid, spec.nodeName, metadata.deletionTimestamp]),
      ])
      await this.#removeStartupTaints()
      if (state !== last) [last, since] = [state, this.now()]
      if (this.now() - since >= quiet) return
      if (this.now() - begin > LONGEST) throw new Error(`the cluster does not settle: ${state}`)
    }
  }

  /** Removes startup taints, like the programs for which the nodes have these taints. */
  async #removeStartupTaints(): Promise<void> {
    const { client } = this.#backend
    for (const { metadata, spec } of (await this.#driven(client.list(kinds.Node))).items) {
      const taints = (spec.taints ?? []).filter(({ key }) => key !== STARTUP_TAINT)
      if (taints.length === (spec.taints ?? []).length) continue
      await this.#driven(
        client.patch(kinds.Node, { name: metadata.name }, { type: 'merge', body: { spec: { taints } } }),
      )
    }
  }

  async stop(): Promise<void> {
    await this.#backend.stop()
  }
}
