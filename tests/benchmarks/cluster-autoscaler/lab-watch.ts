import {
  isActive,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  parseQuantity,
  parseTime,
  toNumber,
} from '@kerf/apis'
import type { Clock, InformerFactory } from '@kerf/runtime'
import { GROUP_LABEL } from '../../integration/migrate/real-autoscaler.ts'

export type Side = 'kerf' | 'cluster-autoscaler'

/** A NodeClaim, with the capacity of its node. */
interface Claim {
  readonly at: Milliseconds
  readonly cpu: number
}

const cpuOf = (quantity: string | number | undefined): number =>
  quantity === undefined ? 0 : toNumber(parseQuantity(quantity))

const CAS_TAINT = /^(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler$/
const OUR_TAINT = 'karpenter.sh/disrupted'

/** Returns which autoscaler owns the node. Returns undefined if none does. */
export const nodeSide = ({ metadata }: Node): Side | undefined => {
  if (metadata.labels?.[labels.nodePool] !== undefined) return 'kerf'
  return metadata.labels?.[GROUP_LABEL] === undefined ? undefined : 'cluster-autoscaler'
}

/** Observes nodes, NodeClaims and pods while a lab runs. */
export class LabWatch {
  readonly #informers: InformerFactory
  readonly #claims = new Map<string, Claim>()
  readonly #sides = new Map<string, Side>()
  /** Nodes of one autoscaler that had a taint of the other. */
  readonly foughtOver = new Set<string>()
  /**
   * NodeClaims that were deleted while pods ran on their nodes. Records the requests of these pods, and the free CPUs on Kerf's other
   * nodes.
   */
  readonly givenUp: { readonly claim: string; readonly needed: number; readonly room: number }[] = []
  /** The time at which each pod was bound, with the autoscaler that owns its node. */
  readonly bound: { readonly at: Milliseconds; readonly side: Side }[] = []

  constructor(informers: InformerFactory, clock: Clock) {
    this.#informers = informers
    informers.of(kinds.Pod).onChange(({ before, after }) => {
      const side = this.#sides.get(after?.spec.nodeName ?? '')
      if (after?.metadata.labels?.['app'] === undefined || side === undefined || (before?.spec.nodeName ?? '') !== '')
        return
      this.bound.push({ at: clock.now(), side })
    })
    informers.of(karpenterKinds.NodeClaim).onChange(({ before, after }) => {
      if (after === undefined) return
      if (after.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined)
        this.#deleted(after)
      const { uid = '', creationTimestamp } = after.metadata
      this.#claims.set(uid, {
        at: parseTime(creationTimestamp) ?? clock.now(),
        cpu: cpuOf(after.status?.capacity?.['cpu']),
      })
    })
    informers.of(kinds.Node).onChange(({ after }) => {
      const side = after === undefined ? undefined : nodeSide(after)
      if (after === undefined || side === undefined) return
      this.#sides.set(after.metadata.name, side)
      const others = side === 'kerf' ? CAS_TAINT : new RegExp(`^${OUR_TAINT}$`)
      if (after.spec?.taints?.some(({ key }) => others.test(key)) === true) this.foughtOver.add(after.metadata.name)
    })
  }

  /** Records a node that Kerf removes. Its pods must fit on Kerf's other nodes, because Kerf must not count on nodes of node groups. */
  #deleted({ metadata, status }: NodeClaim): void {
    const requests = new Map<string, number>()
    for (const { spec } of this.#pods())
      for (const { resources } of spec.containers)
        requests.set(
          spec.nodeName ?? '',
          (requests.get(spec.nodeName ?? '') ?? 0) + cpuOf(resources?.requests?.['cpu']),
        )
    const ending = new Set(
      [...this.#informers.of(karpenterKinds.NodeClaim).values()].flatMap((claim) =>
        claim.metadata.deletionTimestamp === undefined || claim.status?.nodeName === undefined
          ? []
          : [claim.status.nodeName],
      ),
    )
    const own = status?.nodeName ?? ''
    ending.add(own)
    const room = [...this.#informers.of(kinds.Node).values()]
      .filter((node) => nodeSide(node) === 'kerf' && !ending.has(node.metadata.name))
      .reduce(
        (sum, node) => sum + cpuOf(node.status?.allocatable?.['cpu']) - (requests.get(node.metadata.name) ?? 0),
        0,
      )
    const needed = requests.get(own) ?? 0
    if (needed === 0) return
    this.givenUp.push({ claim: metadata.name, needed, room })
  }

  get claims(): readonly Claim[] {
    return [...this.#claims.values()]
  }

  /** Returns which autoscaler owns, or owned, the node with that name. */
  sideOfNode(name: string): Side | undefined {
    return this.#sides.get(name)
  }

  nodesOf(side: Side): number {
    return [...this.#informers.of(kinds.Node).values()].filter((node) => nodeSide(node) === side).length
  }

  /** Returns the number of workload pods on the nodes of that autoscaler. */
  podsOn(side: Side): number {
    return this.#pods().filter(({ spec }) => this.#sides.get(spec.nodeName ?? '') === side).length
  }

  get waiting(): number {
    return this.#pods().filter(({ spec }) => (spec.nodeName ?? '') === '').length
  }

  #pods() {
    return [...this.#informers.of(kinds.Pod).values()].filter(
      (pod) =>
        pod.metadata.labels?.['app'] !== undefined && pod.metadata.deletionTimestamp === undefined && isActive(pod),
    )
  }
}
