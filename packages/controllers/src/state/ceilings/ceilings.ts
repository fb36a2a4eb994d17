import {
  CLUSTER_POLICY,
  type ClusterPolicy,
  karpenterKinds,
  type NodeClaim,
  type NodePool,
  policyKinds,
} from '@kerf/apis'
import type { CeilingHeadroom, InstanceType, NodeState } from '@kerf/engine'
import { type Informer, mapLimit } from '@kerf/runtime'
import { controllerErrors } from '../../controller-errors.ts'
import type { Deps } from '../../deps.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import { ifReadable } from '../isolation/if-readable.ts'
import type { StateNode } from '../state-node.ts'
import { type CeilingAmounts, type PolicyCeilings, readCeilings } from './ceiling-amounts.ts'
import { CeilingTally, type CeilingUse, claimKey } from './ceiling-tally.ts'
import { exceededText } from './ceiling-text.ts'

const PARALLEL = 10

type CeilingDeps = Pick<Deps, 'informers' | 'provider'>

/** The parts of cluster state that the ceilings depend on. */
export interface CountedState {
  nodes(): Iterable<StateNode>
  byProviderID(providerID: string): StateNode | undefined
  viewOf(node: StateNode): NodeState
  /** The names of the claims whose instance is not known yet. */
  readonly unlaunched: ReadonlySet<string>
  isUnlaunched(claim: string): boolean
  readonly leftOut: ReadonlySet<string>
  markUnconsolidated(): void
}

interface PoolTypes {
  readonly list: readonly InstanceType[]
  readonly byName: ReadonlyMap<string, InstanceType>
}

/** A claim of this process that is being created or has no instance yet, with the amounts that are reserved for it. */
interface HeldClaim {
  readonly claim: NodeClaim
  readonly amounts: CeilingAmounts
}

const NO_TYPES: ReadonlyMap<string, InstanceType> = new Map()

/**
 * The ceilings of the ClusterPolicy, and how much all nodes of the cluster use of them (`docs/spec/policies.md#ceilings`). Without a
 * policy, nothing is computed. Until the instance of a claim is known, the claim counts as the largest of its possible instance types.
 * `reserve` checks and reserves without yielding to other work, so parallel launches cannot exceed a ceiling together.
 *
 * Cluster state reports every change with `nodeChanged` and `claimChanged`. So a new claim does not require an iteration over all nodes.
 */
export class Ceilings {
  readonly #deps: CeilingDeps
  readonly #state: CountedState
  readonly #policies: Informer<ClusterPolicy>
  #types: ReadonlyMap<string, PoolTypes> = new Map()
  readonly #held = new Map<string, HeldClaim>()
  readonly #creating = new Set<string>()
  /** The policy from which `#read` was computed. */
  #policy: ClusterPolicy | undefined
  #read: PolicyCeilings | undefined
  /** Undefined after the ceilings or the instance types have changed. All nodes must then be counted again. */
  #tally: CeilingTally | undefined
  /** The provider IDs of the nodes that have changed since the last update of the tally. */
  readonly #changedNodes = new Set<string>()
  readonly #changedClaims = new Set<string>()

  constructor(deps: CeilingDeps, state: CountedState) {
    this.#deps = deps
    this.#state = state
    this.#policies = deps.informers.optional(policyKinds.ClusterPolicy)
    this.#policies.onChange(({ before, after }) => {
      // A changed ceiling may make a consolidation possible. The status changes often and does not affect ceilings.
      if (before?.metadata.generation !== after?.metadata.generation || before?.metadata.uid !== after?.metadata.uid)
        state.markUnconsolidated()
    })
  }

  /** Whether it is known which ceilings are in effect. Until then, Kerf must not launch anything. */
  get isKnown(): boolean {
    return this.#policies.hasSynced || this.#policies.isRefused
  }

  /** The ceilings in effect. Undefined if there are none. */
  get current(): PolicyCeilings | undefined {
    const policy = this.#policies.get(CLUSTER_POLICY)
    if (policy !== this.#policy) {
      // If only the status has changed, the ceilings are the same, and the nodes need not be counted again.
      const isSame = hasSameSpec(policy, this.#policy)
      this.#policy = policy
      if (!isSame) this.#read = policy?.metadata.deletionTimestamp === undefined ? readCeilings(policy) : undefined
    }
    return this.#read
  }

  /** Reads the instance types of every pool, which `headroom`, `use` and `reserve` need. Does nothing if there are no ceilings. */
  async load(signal: AbortSignal): Promise<void> {
    if (this.current === undefined) return
    const { informers, provider } = this.#deps
    const pools = [...informers.of(karpenterKinds.NodePool).values()].filter(
      (pool) => ifReadable(() => isManagedPool(provider, pool)) === true,
    )
    const read = async (pool: NodePool): Promise<readonly [string, PoolTypes]> => {
      const { name } = pool.metadata
      const before = this.#types.get(name)
      try {
        const list = await provider.instanceTypes(pool, signal)
        if (before !== undefined && list === before.list) return [name, before]
        return [name, { list, byName: new Map(list.map((type) => [type.name, type])) }]
      } catch {
        signal.throwIfAborted()
        return [name, before ?? { list: [], byName: NO_TYPES }]
      }
    }
    const types = new Map(await mapLimit(pools, PARALLEL, read, signal))
    const isSame =
      types.size === this.#types.size && [...types].every(([name, each]) => this.#types.get(name)?.list === each.list)
    if (isSame) return
    this.#types = types
    this.#tally = undefined
  }

  /** Records that the node with this provider ID has changed or no longer exists. */
  nodeChanged(providerID: string): void {
    if (this.#tally !== undefined) this.#changedNodes.add(providerID)
  }

  /** Records that the claim with this name has changed, or that its instance has become known or unknown. */
  claimChanged(name: string): void {
    if (this.#tally !== undefined || this.#held.has(name)) this.#changedClaims.add(name)
  }

  /** Returns how much of the ceilings the nodes use. Undefined if there are no ceilings. */
  use(): CeilingUse | undefined {
    return this.#current()?.use()
  }

  /** Returns how much capacity below the ceilings a decision may launch. Undefined if there are no ceilings. */
  headroom(): CeilingHeadroom | undefined {
    return this.#current()?.headroom()
  }

  /**
   * Reserves the most that a claim may use. Call this before the claim is created. The reservation lasts until the claim's instance is
   * known. `replaced` contains the provider IDs of the nodes that the claim replaces. Returns a function that the caller must call as soon
   * as cluster state contains the claim, or as soon as it is known that the claim does not exist.
   *
   * @throws CeilingReached if the claim could exceed a ceiling
   */
  reserve(claim: NodeClaim, replaced: readonly string[] = []): () => void {
    const tally = this.#current()
    if (tally === undefined) return () => {}
    const { name } = claim.metadata
    const amounts = tally.largestAmounts(claim)
    const exceeded = shortage(tally, amounts, replaced)
    if (exceeded !== undefined) throw controllerErrors.CeilingReached({ exceeded })
    this.#held.set(name, { claim, amounts })
    this.#creating.add(name)
    this.claimChanged(name)
    return () => {
      this.#creating.delete(name)
      this.claimChanged(name)
    }
  }

  /** Returns whether `reserve` would succeed for a claim that replaces these nodes. */
  admits(claim: NodeClaim, replaced: readonly string[]): boolean {
    const tally = this.#current()
    return tally === undefined || shortage(tally, tally.largestAmounts(claim), replaced) === undefined
  }

  /** Returns the tally with all changes applied. Undefined if there are no ceilings. */
  #current(): CeilingTally | undefined {
    const ceilings = this.current
    if (ceilings === undefined) this.#tally = undefined
    else if (this.#tally?.ceilings === ceilings) this.#countChanges(this.#tally)
    else this.#tally = this.#countAll(ceilings)
    return this.#tally
  }

  #countAll(ceilings: PolicyCeilings): CeilingTally {
    const tally = new CeilingTally(ceilings, (pool) => this.#types.get(pool)?.byName ?? NO_TYPES)
    this.#changedNodes.clear()
    this.#changedClaims.clear()
    for (const node of this.#state.nodes()) this.#countNode(tally, node)
    for (const name of new Set([...this.#state.unlaunched, ...this.#held.keys()])) this.#countClaim(tally, name)
    return tally
  }

  #countChanges(tally: CeilingTally): void {
    for (const id of this.#changedNodes) {
      const node = this.#state.byProviderID(id)
      if (node === undefined) tally.delete(id)
      else this.#countNode(tally, node)
    }
    for (const name of this.#changedClaims) this.#countClaim(tally, name)
    this.#changedNodes.clear()
    this.#changedClaims.clear()
  }

  #countNode(tally: CeilingTally, node: StateNode): void {
    const view = this.#state.viewOf(node)
    tally.putNode(node.providerID, view, this.#state.leftOut.has(view.nodeClaim ?? '') ? node.claim : undefined)
  }

  #countClaim(tally: CeilingTally, name: string): void {
    const isUnlaunched = this.#state.isUnlaunched(name)
    if (!isUnlaunched && !this.#creating.has(name)) {
      this.#held.delete(name)
      tally.delete(claimKey(name))
      return
    }
    const held = this.#held.get(name)
    const claim = held?.claim ?? this.#deps.informers.of(karpenterKinds.NodeClaim).get(name)
    // A reserved amount must not decrease until the instance is known, even if the instance types change.
    const largest: CeilingAmounts = claim === undefined ? new Map() : tally.largestAmounts(claim)
    const amounts = Array.from(
      tally.ceilings.most.keys(),
      (ceiling) => [ceiling, held?.amounts.get(ceiling) ?? largest.get(ceiling) ?? 0n] as const,
    )
    tally.putClaim(name, new Map(amounts))
  }
}

const hasSameSpec = (a: ClusterPolicy | undefined, b: ClusterPolicy | undefined): boolean =>
  a?.metadata.generation !== undefined &&
  a.metadata.generation === b?.metadata.generation &&
  a.metadata.uid === b.metadata.uid &&
  a.metadata.deletionTimestamp === b.metadata.deletionTimestamp

/** Returns a sentence about the first ceiling that does not leave enough for a claim, or undefined if all do. */
const shortage = (tally: CeilingTally, amounts: CeilingAmounts, replaced: readonly string[]): string | undefined => {
  const { free } = tally.use(replaced)
  for (const [ceiling, amount] of amounts) {
    const left = free.get(ceiling) ?? 0n
    if (amount > left) return exceededText(ceiling, amount, left)
  }
  return undefined
}
