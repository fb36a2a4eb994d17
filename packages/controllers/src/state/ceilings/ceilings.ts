import {
  CLUSTER_POLICY,
  type ClusterPolicy,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodePool,
  policyKinds,
} from '@kerf/apis'
import { type CeilingHeadroom, HOURLY_COST, type InstanceType, type NodeState } from '@kerf/engine'
import { type Informer, mapLimit } from '@kerf/runtime'
import { controllerErrors } from '../../controller-errors.ts'
import type { Deps } from '../../deps.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import { ifReadable } from '../isolation/if-readable.ts'
import type { StateNode } from '../state-node.ts'
import {
  type CeilingAmounts,
  type CeilingUse,
  type CountedNode,
  ceilingUse,
  claimAmounts,
  labelledPrice,
  nodeAmounts,
  type PolicyCeilings,
  readCeilings,
  runningPrice,
} from './ceiling-amounts.ts'
import { exceededText } from './ceiling-text.ts'

const PARALLEL = 10

type CeilingDeps = Pick<Deps, 'informers' | 'provider'>

/** What ceilings read of cluster state. */
export interface CountedState {
  nodes(): Iterable<StateNode>
  viewOf(node: StateNode): NodeState
  readonly unlaunched: ReadonlySet<string>
  readonly leftOut: ReadonlySet<string>
  markUnconsolidated(): void
}

/**
 * The ceilings of the ClusterPolicy, and what all nodes of the cluster use of them (`docs/spec/policies.md#ceilings`). Without a
 * policy, nothing is computed. Until the instance of a claim is known, the claim uses as much as the largest of its instance types. The
 * check and the reservation of `reserve` happen without yielding, so that parallel launches never exceed a ceiling together.
 */
export class Ceilings {
  readonly #deps: CeilingDeps
  readonly #state: CountedState
  readonly #policies: Informer<ClusterPolicy>
  #types: ReadonlyMap<string, ReadonlyMap<string, InstanceType>> = new Map()
  /** What claims of this process use that are being created or have no instance yet, by the name of the claim. */
  readonly #held = new Map<string, CeilingAmounts>()
  readonly #creating = new Set<string>()
  /** The policy that `#read` was computed from. */
  #policy: ClusterPolicy | undefined
  #read: PolicyCeilings | undefined

  constructor(deps: CeilingDeps, state: CountedState) {
    this.#deps = deps
    this.#state = state
    this.#policies = deps.informers.optional(policyKinds.ClusterPolicy)
    this.#policies.onChange(({ before, after }) => {
      // A changed ceiling can make a move possible. The status changes often and has no effect.
      if (before?.metadata.generation !== after?.metadata.generation || before?.metadata.uid !== after?.metadata.uid)
        state.markUnconsolidated()
    })
  }

  /** Whether it is known which ceilings apply. Until then nothing may be launched. */
  get isKnown(): boolean {
    return this.#policies.hasSynced || this.#policies.isRefused
  }

  /** The ceilings in force; undefined if there are none. */
  get current(): PolicyCeilings | undefined {
    const policy = this.#policies.get(CLUSTER_POLICY)
    if (policy !== this.#policy) {
      this.#policy = policy
      this.#read = policy?.metadata.deletionTimestamp === undefined ? readCeilings(policy) : undefined
    }
    return this.#read
  }

  /** Reads the instance types of every pool, which `headroom`, `use` and `reserve` need. Does nothing without ceilings. */
  async load(signal: AbortSignal): Promise<void> {
    if (this.current === undefined) return
    const { informers, provider } = this.#deps
    const pools = [...informers.of(karpenterKinds.NodePool).values()].filter(
      (pool) => ifReadable(() => isManagedPool(provider, pool)) === true,
    )
    const before = this.#types
    const read = async (pool: NodePool): Promise<readonly [string, ReadonlyMap<string, InstanceType>]> => {
      const { name } = pool.metadata
      try {
        return [name, new Map((await provider.instanceTypes(pool, signal)).map((type) => [type.name, type]))]
      } catch {
        signal.throwIfAborted()
        return [name, before.get(name) ?? new Map()]
      }
    }
    this.#types = new Map(await mapLimit(pools, PARALLEL, read, signal))
  }

  /** Returns what the nodes use; undefined without ceilings. */
  use(): CeilingUse | undefined {
    const ceilings = this.current
    return ceilings === undefined ? undefined : ceilingUse(ceilings, this.#counted(ceilings))
  }

  /** Returns what a decision may launch; undefined without ceilings. */
  headroom(): CeilingHeadroom | undefined {
    const ceilings = this.current
    if (ceilings === undefined) return undefined
    const { free, surge } = ceilingUse(ceilings, this.#counted(ceilings))
    if (!ceilings.most.has(HOURLY_COST)) return { free, surge }
    const prices = new Map<string, bigint>()
    for (const node of this.#state.nodes()) {
      const view = this.#state.viewOf(node)
      if (view.nodePool !== undefined) prices.set(view.name, this.#priceOf(view))
    }
    return { free, surge, prices }
  }

  /**
   * Reserves what a claim may use at most, from before it is created until its instance is known. `replaced` are the provider IDs of the
   * nodes that the claim replaces. Returns a function to call as soon as the state contains the claim, or it is known not to exist.
   *
   * @throws CeilingReached if the claim could exceed a ceiling
   */
  reserve(claim: NodeClaim, replaced: readonly string[] = []): () => void {
    const ceilings = this.current
    if (ceilings === undefined) return () => {}
    const { name } = claim.metadata
    const exceeded = this.#shortage(claim, replaced)
    if (exceeded !== undefined) throw controllerErrors.CeilingReached({ exceeded })
    this.#held.set(name, this.#largestAmounts(ceilings, claim))
    this.#creating.add(name)
    return () => this.#creating.delete(name)
  }

  /** Returns whether `reserve` would succeed for a claim that replaces these nodes. */
  admits(claim: NodeClaim, replaced: readonly string[]): boolean {
    return this.#shortage(claim, replaced) === undefined
  }

  /** Returns a sentence about the first ceiling that leaves too little for the claim. */
  #shortage(claim: NodeClaim, replaced: readonly string[]): string | undefined {
    const ceilings = this.current
    if (ceilings === undefined) return undefined
    const { free } = ceilingUse(ceilings, this.#counted(ceilings, new Set(replaced)))
    for (const [ceiling, amount] of this.#largestAmounts(ceilings, claim)) {
      const left = free.get(ceiling) ?? 0n
      if (amount > left) return exceededText(ceiling, amount, left)
    }
    return undefined
  }

  /** Returns every node, and every claim that may become one: first those that leave, in an order that does not change. */
  #counted(ceilings: PolicyCeilings, replaced: ReadonlySet<string> = new Set()): readonly CountedNode[] {
    const nodes: CountedNode[] = []
    const leaving: CountedNode[] = []
    const replacing: CountedNode[] = []
    const { leftOut } = this.#state
    for (const node of this.#state.nodes()) {
      const view = this.#state.viewOf(node)
      if (view.nodePool === undefined) continue
      const isUnlaunched = node.claim !== undefined && leftOut.has(view.nodeClaim ?? '')
      const amounts =
        isUnlaunched && node.claim !== undefined
          ? this.#largestAmounts(ceilings, node.claim)
          : nodeAmounts(ceilings, view.capacity, ceilings.most.has(HOURLY_COST) ? this.#priceOf(view) : 0n)
      const counted = { name: view.name, amounts, isLeaving: view.markedForDeletion || replaced.has(node.providerID) }
      if (view.markedForDeletion) leaving.push(counted)
      else if (counted.isLeaving) replacing.push(counted)
      else nodes.push(counted)
    }
    return [...leaving.sort(byName), ...replacing.sort(byName), ...nodes, ...this.#unlaunched(ceilings)]
  }

  #unlaunched(ceilings: PolicyCeilings): readonly CountedNode[] {
    const { unlaunched } = this.#state
    for (const name of this.#held.keys())
      if (!this.#creating.has(name) && !unlaunched.has(name)) this.#held.delete(name)
    const claims = this.#deps.informers.of(karpenterKinds.NodeClaim)
    return Array.from(new Set([...unlaunched, ...this.#held.keys()]), (name) => {
      const held = this.#held.get(name)
      const claim = held === undefined ? claims.get(name) : undefined
      const amounts = held ?? (claim === undefined ? new Map() : this.#largestAmounts(ceilings, claim))
      return { name, amounts, isLeaving: false }
    })
  }

  #priceOf({ labels: own, nodePool }: NodeState): bigint {
    return runningPrice(labelledPrice(own, this.#types.get(nodePool ?? '') ?? new Map()))
  }

  #largestAmounts(ceilings: PolicyCeilings, claim: NodeClaim): CeilingAmounts {
    return claimAmounts(
      ceilings,
      claim,
      this.#types.get(claim.metadata.labels?.[labels.nodePool] ?? '')?.values() ?? [],
    )
  }
}

const byName = (a: CountedNode, b: CountedNode): number => (a.name < b.name ? -1 : 1)
