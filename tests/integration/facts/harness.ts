import {
  type CSINode,
  coreVocabulary,
  type Namespace,
  type Pod,
  podRequests,
  type Service,
  type Taint,
} from '@kerf/apis'
import {
  type ClusterSnapshot,
  type InstanceType,
  type NodeState,
  type PoolOption,
  type ScheduleOptions,
  schedule,
} from '@kerf/engine'
import { expect } from 'vitest'
import { amounts, usualTypes, zone1 } from './instance-types.ts'
import { key, providerLabels } from './keys.ts'
import { type LabelMap, nodePool, type PodTraits, type PoolTraits, pod, running } from './objects.ts'
import { Outcome } from './outcome.ts'

interface HarnessPool extends PoolTraits {
  /** The default is the usual instance types of these tests. */
  readonly types?: readonly InstanceType[]
}

export interface NodeTraits {
  readonly labels?: LabelMap
  readonly zone?: string
  readonly capacityType?: string
  readonly instanceType?: string
  readonly taints?: readonly Taint[]
  readonly pool?: string
  readonly cpu?: string
  readonly memory?: string
  readonly maxPods?: string
  readonly more?: Readonly<Record<string, string>>
  readonly pods?: readonly Pod[]
  /** Whether the node lacks its hostname label. */
  readonly noHostLabel?: boolean
  readonly state?: Partial<NodeState>
}

type Storage = Partial<
  Pick<ClusterSnapshot, 'persistentVolumeClaims' | 'persistentVolumes' | 'storageClasses' | 'csiNodes'>
>

type Devices = Partial<
  Pick<ClusterSnapshot, 'resourceSlices' | 'resourceClaims' | 'resourceClaimTemplates' | 'deviceClasses'>
>

interface State {
  readonly pools: readonly PoolOption[]
  readonly nodes: readonly NodeState[]
  readonly pending: readonly Pod[]
  readonly rest: Omit<ClusterSnapshot, 'pools' | 'nodes'>
  readonly options: ScheduleOptions
  /** Why kube-scheduler, and therefore the validator, decides differently here. */
  readonly disagreement?: string
}

const EMPTY: State = {
  pools: [],
  nodes: [],
  pending: [],
  rest: {
    daemonPods: [],
    namespaces: [],
    persistentVolumeClaims: [],
    persistentVolumes: [],
    storageClasses: [],
    csiNodes: [],
  },
  options: { vocabulary: coreVocabulary.withWellKnown(providerLabels), reservationIdLabel: key.reservation },
}

/** The effort of the improvement pass in these tests. It is enough to try every possible change. */
const EFFORT = 200_000

/**
 * A notation for clusters. Objects are immutable: each method returns a new harness. Without a call of `pool` or `only` there is one
 * NodePool, `default`, with the usual instance types.
 */
export class Harness {
  readonly #state: State

  constructor(state: State = EMPTY) {
    this.#state = state
  }

  #with(change: Partial<State>): Harness {
    return new Harness({ ...this.#state, ...change })
  }

  #withRest(rest: Partial<State['rest']>): Harness {
    return this.#with({ rest: { ...this.#state.rest, ...rest } })
  }

  /** Adds a NodePool. Replaces an existing pool with the same name. */
  pool(name: string, { types = usualTypes, ...traits }: HarnessPool = {}): Harness {
    const others = this.#state.pools.filter(({ nodePool: other }) => other.metadata.name !== name)
    return this.#with({ pools: [...others, { nodePool: nodePool(name, traits), instanceTypes: types }] })
  }

  /** Replaces all NodePools by one pool, `default`, with these traits. */
  only(traits: HarnessPool): Harness {
    return this.#with({ pools: [] }).pool('default', traits)
  }

  options(options: Partial<ScheduleOptions>): Harness {
    return this.#with({ options: { ...this.#state.options, ...options } })
  }

  /** Adds a node. By default, it has the usual size (16 cpu, 32Gi, 100 pods), is initialized, and belongs to the NodePool `default`. */
  node(name: string, traits: NodeTraits = {}): Harness {
    const { pool, zone = zone1, cpu = '16', memory = '32Gi', maxPods = '100' } = traits
    const free = amounts({ cpu, memory, pods: maxPods, ...traits.more })
    const state: NodeState = {
      name,
      hostName: name,
      labels: {
        ...(traits.noHostLabel === true ? {} : { [key.host]: name }),
        [key.zone]: zone,
        ...(traits.capacityType === undefined ? {} : { [key.capacityType]: traits.capacityType }),
        ...(traits.instanceType === undefined ? {} : { [key.instanceType]: traits.instanceType }),
        ...(pool === undefined ? {} : { [key.pool]: pool }),
        ...traits.labels,
      },
      taints: traits.taints ?? [],
      capacity: free,
      allocatable: free,
      initialized: true,
      managed: pool !== undefined,
      hasNode: true,
      nodeName: name,
      ...(pool === undefined ? {} : { nodePool: pool }),
      markedForDeletion: false,
      pods: (traits.pods ?? []).map((each) => running(each, name)),
      ...traits.state,
    }
    return this.#with({ nodes: [...this.#state.nodes.filter((other) => other.name !== name), state] })
  }

  without(...nodes: readonly string[]): Harness {
    return this.#with({ nodes: this.#state.nodes.filter(({ name }) => !nodes.includes(name)) })
  }

  /** Replaces each node by the result of `change`. */
  nodes(change: (node: NodeState) => NodeState): Harness {
    return this.#with({ nodes: this.#state.nodes.map(change) })
  }

  get nodeStates(): readonly NodeState[] {
    return this.#state.nodes
  }

  pod(name: string, traits: PodTraits = {}): Harness {
    return this.#with({ pending: [...this.#state.pending, pod(name, traits)] })
  }

  /** Adds identical pods with the names `prefix-0`, `prefix-1` and so on. */
  pods(count: number, traits: PodTraits = {}, prefix = 'pod'): Harness {
    const made = Array.from({ length: count }, (_, index) => pod(`${prefix}-${index}`, traits))
    return this.#with({ pending: [...this.#state.pending, ...made] })
  }

  waiting(...pods: readonly Pod[]): Harness {
    return this.#with({ pending: [...this.#state.pending, ...pods] })
  }

  daemons(...daemonPods: readonly Pod[]): Harness {
    return this.#withRest({ daemonPods: [...this.#state.rest.daemonPods, ...daemonPods] })
  }

  namespace(name: string, labels: LabelMap = {}): Harness {
    const namespace: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
    return this.#withRest({ namespaces: [...this.#state.rest.namespaces, namespace] })
  }

  storage(more: Storage): Harness {
    const { rest } = this.#state
    return this.#withRest({
      persistentVolumeClaims: [...rest.persistentVolumeClaims, ...(more.persistentVolumeClaims ?? [])],
      persistentVolumes: [...rest.persistentVolumes, ...(more.persistentVolumes ?? [])],
      storageClasses: [...rest.storageClasses, ...(more.storageClasses ?? [])],
      csiNodes: [...rest.csiNodes, ...(more.csiNodes ?? [])],
    })
  }

  /** Sets how many volumes of each driver can be attached to a node. `undefined` means no limit. */
  attachable(node: string, limits: Readonly<Record<string, number | undefined>>): Harness {
    const csiNode: CSINode = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: node },
      spec: {
        drivers: Object.entries(limits).map(([name, count]) => ({
          name,
          ...(count === undefined ? {} : { allocatable: { count } }),
        })),
      },
    }
    return this.storage({ csiNodes: [csiNode] })
  }

  services(...services: readonly Service[]): Harness {
    return this.#withRest({ services: [...(this.#state.rest.services ?? []), ...services] })
  }

  owners(...podOwners: NonNullable<ClusterSnapshot['podOwners']>): Harness {
    return this.#withRest({ podOwners: [...(this.#state.rest.podOwners ?? []), ...podOwners] })
  }

  /** Adds devices and ResourceClaims. From then on, the engine considers claims instead of ignoring them. */
  devices(more: Devices): Harness {
    const { rest } = this.#state
    return this.#withRest({
      resourceSlices: [...(rest.resourceSlices ?? []), ...(more.resourceSlices ?? [])],
      resourceClaims: [...(rest.resourceClaims ?? []), ...(more.resourceClaims ?? [])],
      resourceClaimTemplates: [...(rest.resourceClaimTemplates ?? []), ...(more.resourceClaimTemplates ?? [])],
      deviceClasses: [...(rest.deviceClasses ?? []), ...(more.deviceClasses ?? [])],
    }).options({ ignoreDraRequests: false })
  }

  /** States why Kerf decides like upstream here, although kube-scheduler would decide differently. */
  knowingly(disagreement: string): Harness {
    return this.#with({ disagreement })
  }

  get snapshot(): ClusterSnapshot {
    const pools = this.#state.pools.length > 0 ? this.#state.pools : new Harness().pool('default').#state.pools
    return { ...this.#state.rest, pools, nodes: this.#state.nodes }
  }

  /**
   * Returns the result of the first pass, which uses the order and the packing of upstream. Also runs the improvement pass, whose plan is
   * `improved`. Asserts that the improvement pass places the same pods for at most the same cost. Also asserts that neither plan violates a
   * constraint, with a validator that shares no code with the engine.
   */
  plan(options: Partial<ScheduleOptions> = {}): Outcome {
    const { snapshot } = this
    const { pending, disagreement } = this.#state
    const all = { ...this.#state.options, ...options }
    const plan = schedule(snapshot, pending, { ...all, planBudget: 0 })
    const better = schedule(snapshot, pending, { ...all, planBudget: EFFORT })
    const names = (pods: readonly { readonly pod: Pod }[]) => pods.map((each) => each.pod.metadata.name).sort()
    expect(names(better.unschedulable), 'the improvement pass leaves out nobody else').toEqual(
      names(plan.unschedulable),
    )
    expect(better.hourlyCost, 'the improvement pass is never dearer').toBeLessThanOrEqual(plan.hourlyCost + 1e-9)
    const improved = new Outcome(snapshot, pending, better)
    const outcome = new Outcome(snapshot, pending, plan, improved)
    if (disagreement !== undefined) return outcome
    expect(outcome.broken, 'constraints that the first pass breaks').toEqual([])
    expect(improved.broken, 'constraints that the improvement pass breaks').toEqual([])
    return outcome
  }

  /**
   * Returns the cluster after a plan: its NodeClaims are launched as their cheapest offerings, its pods are bound, and all other pods stay
   * pending.
   */
  after(outcome: Outcome, change: Partial<NodeState> = {}): Harness {
    const grown = this.#state.nodes.map((node) => ({
      ...node,
      pods: [...node.pods, ...outcome.podsOn(node.name).map((each) => running(each, node.name))],
    }))
    const launched = outcome.plan.claims.map((claim, index): NodeState => {
      const name = `${claim.nodePool}-${this.#state.nodes.length + index}`
      const made = outcome.launch(claim, name)
      return { ...made, ...change }
    })
    return this.#with({ nodes: [...grown, ...launched], pending: outcome.unscheduled })
  }

  /** Removes all pending pods. */
  nobodyWaits(): Harness {
    return this.#with({ pending: [] })
  }
}

export const harness = (): Harness => new Harness()

/** Returns a pod's request of a resource in whole units, so that tests can compare it. */
export const podRequest = (of: Pod, resource: string): number => Number(podRequests(of).get(resource) ?? 0n) / 1e9
