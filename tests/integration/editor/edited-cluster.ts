import { type KubeObject, karpenterKinds, kinds, labels, type NodeClaim, type NodePool, noVocabulary } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { defaultFeatureGates, SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { Session } from '../../../packages/cli/src/up/session.ts'
import type { ClusterObjects } from '../../../packages/dashboard/plugin/src/model/cluster-snapshot.ts'
import {
  type ReportedInstanceTypes,
  reportedInstanceTypes,
} from '../../../packages/dashboard/plugin/src/model/reported-instance-types.ts'

const MINUTE = 60_000
/** The cluster counts as settled if nothing that a forecast names has changed for this long. */
const QUIET = 6 * MINUTE
/** A cluster that has not settled after this time never does. */
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
} as const

/** A sandbox cluster with Kerf in virtual time, whose NodePools a test edits. */
export class EditedCluster {
  readonly #clock = new VirtualClock({ start: Date.UTC(2026, 0, 5) })
  readonly #cluster: SandboxCluster
  readonly #session: Session
  /** Names of the NodeClaims that were marked as drifted at any time. */
  readonly #drifted = new Set<string>()
  #stillDrifted: readonly string[] = []

  private constructor(seed: number, instanceTypes: readonly InstanceType[]) {
    const clock = this.#clock
    const random = new SeededRandom(seed)
    this.#cluster = new SandboxCluster({ clock, random: random.fork('sandbox'), events: false })
    this.#session = new Session({
      cluster: {
        ...{ name: 'edits', clock, random: random.fork('kerf'), client: this.#cluster.api.client(), kubeconfig: '' },
        ...{ disposable: true, playsKubelets: true },
        close: async () => {},
      },
      logger: silentLogger,
      instanceTypes,
      labels: noVocabulary,
      featureGates: defaultFeatureGates,
      onDecision: () => {},
    })
  }

  /** Starts a cluster with the KWOKNodeClass `default`. */
  static async start(seed: number): Promise<EditedCluster> {
    const edited = new EditedCluster(seed, withZonePrices(await loadInstanceTypes()))
    await edited.#cluster.start()
    const { signal } = new AbortController()
    await edited.#driven(edited.#session.prepare(signal))
    edited.#session.start()
    await edited.apply(kwokNodeClass('default'))
    return edited
  }

  #driven<T>(work: Promise<T>): Promise<T> {
    return this.#clock.advanceUntilDone(work, 10)
  }

  now(): number {
    return this.#clock.now()
  }

  async apply(...objects: readonly KubeObject[]): Promise<void> {
    const { signal } = new AbortController()
    const manifests = objects.map((object) => ({ object, file: 'edits', line: 0 }))
    await this.#driven(this.#session.apply(manifests, signal))
  }

  async pool(name: string): Promise<NodePool> {
    return await this.#driven(this.#cluster.client.get(karpenterKinds.NodePool, { name }))
  }

  /** Stores an edited NodePool, as the editor does. */
  async store(pool: NodePool): Promise<void> {
    const { resourceVersion } = (await this.pool(pool.metadata.name)).metadata
    const metadata = { ...pool.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) }
    await this.#driven(this.#cluster.client.update(karpenterKinds.NodePool, { ...pool, metadata }))
  }

  /** Returns the objects that the dashboard loads. */
  async objects(): Promise<ClusterObjects> {
    const lists: (readonly [string, readonly unknown[]])[] = []
    for (const [name, kind] of Object.entries(LISTS)) {
      const { items } = await this.#driven(this.#cluster.client.list(kind as never))
      lists.push([name, items])
    }
    return Object.fromEntries(lists) as unknown as ClusterObjects
  }

  /** Returns what the controller reports about instance types. */
  async instanceTypes(): Promise<ReportedInstanceTypes> {
    const { signal } = new AbortController()
    const read = reportedInstanceTypes(await this.#session.answer('/kerf/v1/instance-types', signal))
    if (read === undefined) throw new Error('the controller reports no instance types')
    return read
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.#driven(this.#cluster.client.list(karpenterKinds.NodeClaim))).items
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
    const { client } = this.#cluster
    let last = ''
    let since = this.now()
    for (const begin = since; ; await this.#clock.advance(15_000)) {
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
    const { client } = this.#cluster
    for (const { metadata, spec } of (await this.#driven(client.list(kinds.Node))).items) {
      const taints = (spec.taints ?? []).filter(({ key }) => key !== STARTUP_TAINT)
      if (taints.length === (spec.taints ?? []).length) continue
      await this.#driven(
        client.patch(kinds.Node, { name: metadata.name }, { type: 'merge', body: { spec: { taints } } }),
      )
    }
  }

  async stop(): Promise<void> {
    await this.#driven(this.#session.stop())
  }
}
