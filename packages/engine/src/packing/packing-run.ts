import { DeviceAllocation } from '../devices/device-allocation.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { BatchPod, EquivalenceGroup, Variant } from '../model/equivalence-group.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import { type ClaimId, type ConstraintsId, hostOfClaim, hostOfNode, NO_NODE, type NodeId } from '../model/ids.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { Template } from '../model/template.ts'
import { ExistingNodes } from '../nodes/existing-nodes.ts'
import type { Problem } from '../problem/problem.ts'
import { atOnce, type Steps } from '../steps.ts'
import { TopologyCounts } from '../topology/topology-counts.ts'
import { Ceilings } from './ceilings.ts'
import { ClaimSearch, INDEX_FROM } from './claim-search.ts'
import { ClaimTable } from './claim-table.ts'
import { ClaimTrial } from './claim-trial.ts'
import { LeastRequest } from './least-request.ts'
import { PoolLimits } from './limits.ts'
import { PendingPods } from './pending-pods.ts'
import { Reservations } from './reservations.ts'
import { withinLimits } from './written-types.ts'

const NOT_PLACED = 0
/** Only reserved capacity fits the pod, and other claims hold all of it. The pod stays pending, and no further preference is relaxed. */
const DEFERRED = 1
const NONE_GONE: ReadonlySet<NodeId> = new Set()
/** The initial capacity in a what-if. Most what-ifs end with one claim or none. */
const FEW_CLAIMS = 4

/** The variant with which a pod was placed, or a marker that shows why it was not placed. */
type Outcome = Variant | typeof NOT_PLACED | typeof DEFERRED

export interface RunOptions {
  /** If at least this many pods have a fit key, the search for a claim uses an index. */
  readonly indexFrom?: number | undefined
  /** Whether to ignore commitments when new nodes are opened. */
  readonly ignoresCommitments?: boolean
}

/** One decision in progress: places pods one by one in Karpenter's order (`docs/spec/scheduling.md`). */
export class Run {
  readonly problem: Problem
  readonly claims: ClaimTable
  readonly nodes: ExistingNodes
  readonly counts: TopologyCounts
  readonly limits: readonly PoolLimits[]
  /** The amounts that the claims of all pools may use together. Undefined if there are neither ceilings nor commitments. */
  readonly ceilings: Ceilings | undefined
  readonly reservations: Reservations
  /** Set if a pod of the problem claims devices. */
  readonly devices: DeviceAllocation | undefined
  /** For each pod that was placed after preferences were relaxed, the level of its variant. */
  readonly levels = new Map<BatchPod, number>()
  /** The equivalence groups (by number) whose pods wait for reserved capacity. */
  readonly deferred = new Set<number>()
  /** Incremented by every placement. */
  #version = 0
  /** By equivalence group (number): the `#version` at which its pod could not be placed. A new version lets the group be tried again. */
  readonly #failedAt = new Map<number, number>()
  readonly #least = new LeastRequest()
  /** Undefined in a what-if, because a what-if opens too few claims to need an index. */
  readonly #pending: PendingPods | undefined
  readonly #isWhatIf: boolean
  /** Whether new nodes must not use commitments. */
  readonly #ignoresCommitments: boolean
  readonly #indexFrom: number
  /** Created on first use, because most what-ifs need no claim. */
  #madeTrial: ClaimTrial | undefined
  #madeSearch: ClaimSearch | undefined
  #steps = 0

  /**
   * The run ignores the nodes in `gone` (by number) and the pods on them. If `gone` is set, the run changes the free amounts of the
   * problem's nodes, so the caller must call `nodes.rollBack` afterwards. `indexFrom` lets tests use the index with small inputs.
   */
  constructor(
    problem: Problem,
    gone?: ReadonlySet<NodeId>,
    { indexFrom = INDEX_FROM, ignoresCommitments = false }: RunOptions = {},
  ) {
    this.problem = problem
    this.#ignoresCommitments = ignoresCommitments
    this.#isWhatIf = gone !== undefined
    gone ??= NONE_GONE
    const { table, templates, options, pods } = problem
    this.#pending = this.#isWhatIf ? undefined : new PendingPods(pods, problem.variants)
    this.#indexFrom = this.#isWhatIf ? Number.POSITIVE_INFINITY : indexFrom
    this.claims = this.#isWhatIf ? new ClaimTable(table.width, FEW_CLAIMS) : new ClaimTable(table.width)
    this.counts = new TopologyCounts(problem, pods)
    const absent: ExistingNode[] = []
    for (const node of gone) {
      const existing = problem.nodes[node]
      if (existing === undefined) continue
      absent.push(existing)
      for (const { equivalenceGroup } of problem.running.countedOn(node))
        this.counts.recordOnNode(equivalenceGroup, hostOfNode(node), existing, -1)
    }
    this.devices =
      problem.devices === undefined
        ? undefined
        : new DeviceAllocation(problem.devices, problem.snapshot.pools, problem.constraintsTable, gone)
    this.reservations = new Reservations(templates, options.reservedMode !== 'Fallback')
    this.nodes = new ExistingNodes(problem.nodeTable, this.counts, gone, this.#isWhatIf, this.devices)
    this.ceilings = Ceilings.within(problem.snapshot, absent)
    this.limits = PoolLimits.ofAll(templates, problem.poolUse, pods.length, absent, this.ceilings)
  }

  get #trial(): ClaimTrial {
    this.#madeTrial ??= new ClaimTrial(this.problem, this)
    return this.#madeTrial
  }

  get #search(): ClaimSearch {
    this.#madeSearch ??= new ClaimSearch(this.problem, {
      claims: this.claims,
      counts: this.counts,
      trial: this.#trial,
      least: this.#least.row,
      pending: this.#pending,
      indexFrom: this.#indexFrom,
    })
    return this.#madeSearch
  }

  readonly #releaseIndex = (fitKey: number): void => this.#madeSearch?.release(fitKey)

  /** The number of nodes, claims and templates that were tried. */
  get steps(): number {
    return this.#steps + (this.#madeSearch?.steps ?? 0)
  }

  /** Whether a ceiling of the ClusterPolicy refuses further nodes, or some of their types. */
  get isAtCeiling(): boolean {
    return this.ceilings !== undefined && this.limits.some(({ isAtCeiling }) => isAtCeiling)
  }

  /** Returns the claims to launch, with the instance types that their pools' limits allow. */
  writtenClaims(): readonly PackedClaim[] {
    const packed = this.claims.inOrder().map((claim) => this.packedClaim(claim))
    return withinLimits(this.limits, this.problem.constraintsTable, packed)
  }

  /** Returns a claim in its state after packing. */
  packedClaim(claim: ClaimId): PackedClaim {
    const { claims } = this
    const constraints = claims.constraintsOf(claim)
    const { template } = this.problem.constraintsTable.get(constraints).index
    return {
      constraints,
      used: claims.used.slice(claim * claims.width, (claim + 1) * claims.width),
      pods: claims.pods[claim] ?? [],
      reservations: this.reservations.held(claim),
      held: this.limits[template.index]?.typesHeld(claim),
    }
  }

  /**
   * Places as many pods of `queue` as possible, and returns the pods that remain. Stops as soon as there are more than `mostClaims` claims.
   * After an early stop, the returned list also contains pods that were not tried.
   */
  solve(queue: readonly BatchPod[], mostClaims = Number.POSITIVE_INFINITY): BatchPod[] {
    return atOnce(this.solving(queue, Number.POSITIVE_INFINITY, mostClaims))
  }

  /** Does the same as `solve`, with `podsAStep` pods per step. */
  *solving(queue: readonly BatchPod[], podsAStep: number, mostClaims = Number.POSITIVE_INFINITY): Steps<BatchPod[]> {
    const failed = new Set<BatchPod>()
    let waiting = this.#keepPlaces(queue)
    // A cycle tries every remaining pod once. A cycle that places no pod changes nothing, so it is the last.
    while (waiting.length > 0) {
      const left: BatchPod[] = []
      this.#least.begin(waiting)
      let successes = 0
      for (let place = 0; place < waiting.length; place++) {
        const pod = waiting[place]
        if (pod === undefined) continue
        this.#least.reach(place)
        if (place % podsAStep === podsAStep - 1) yield
        if (this.#try(pod)) {
          successes++
          failed.delete(pod)
          if (this.claims.size > mostClaims) return [...failed]
        } else {
          failed.add(pod)
          left.push(pod)
          this.#least.leave(pod.equivalenceGroup)
        }
      }
      if (successes === 0) break
      waiting = left
    }
    return [...failed]
  }

  /**
   * Places pods on the nodes that an earlier decision chose for them, if they still fit there, with as few relaxed preferences as possible.
   * Returns the other pods. Follows the order of the queue, because the earlier decision satisfied every spread constraint in that order.
   * Pods that do not fit are tried again, because some pods fit only after another pod has been placed.
   */
  #keepPlaces(queue: readonly BatchPod[]): readonly BatchPod[] {
    const { plannedNode } = this.problem
    if (plannedNode.size === 0) return queue
    const kept = new Set<BatchPod>()
    let left = queue.filter((pod) => plannedNode.has(pod) && pod.equivalenceGroup.refusal === undefined)
    let before: number
    do {
      before = kept.size
      left = left.filter((pod) => {
        if (!this.#keepPlace(pod)) return true
        kept.add(pod)
        return false
      })
    } while (kept.size > before)
    return queue.filter((pod) => !kept.has(pod))
  }

  #keepPlace(pod: BatchPod): boolean {
    const { plannedNode, variants } = this.problem
    const { equivalenceGroup } = pod
    const node = plannedNode.get(pod)
    if (node === undefined) return false
    for (let given = 0; ; given++) {
      const alternatives = variants.alternatives(equivalenceGroup, given)
      if (alternatives === undefined) return false
      this.#asks(equivalenceGroup, alternatives, given)
      for (const variant of alternatives) {
        this.#steps++
        if (!this.nodes.accepts(node, equivalenceGroup, variant)) continue
        this.nodes.place(node, pod)
        this.#placed(pod, variant, alternatives)
        return true
      }
    }
  }

  /** Records that the group's pods are tried with the variants in which `given` preferences are relaxed. */
  #asks(equivalenceGroup: EquivalenceGroup, alternatives: readonly Variant[], given: number): void {
    if (given === 0 || this.#pending === undefined) return
    for (const variant of alternatives) this.#pending.tries(equivalenceGroup, variant)
  }

  #placed(pod: BatchPod, { level }: Variant, asked: readonly Variant[]): void {
    const { equivalenceGroup } = pod
    this.#version++
    if (level > 0) this.levels.set(pod, level)
    this.#pending?.placed(equivalenceGroup, asked.at(-1)?.level ?? level, this.#releaseIndex)
    this.deferred.delete(equivalenceGroup.id)
  }

  /** For explanations: returns the constraints of a new claim with a pod, restricted to the best choice of domains. */
  bestConstraints(from: ConstraintsId, variant: Variant, equivalenceGroup: EquivalenceGroup): ConstraintsId {
    this.#trial.begin()
    return this.#trial.narrowed(from, variant, equivalenceGroup)
  }

  /** Tries to place a pod with all its preferences, then with more and more of them relaxed. Returns whether it was placed. */
  #try(pod: BatchPod): boolean {
    const { equivalenceGroup } = pod
    if (equivalenceGroup.refusal !== undefined) return false
    if (this.#failedAt.get(equivalenceGroup.id) === this.#version) return false
    for (let given = 0; ; given++) {
      const alternatives = this.problem.variants.alternatives(equivalenceGroup, given)
      if (alternatives === undefined) break
      this.#asks(equivalenceGroup, alternatives, given)
      const outcome = this.#place(pod, alternatives)
      if (typeof outcome === 'object') {
        this.#placed(pod, outcome, alternatives)
        return true
      }
      if (outcome === DEFERRED) {
        this.deferred.add(equivalenceGroup.id)
        break
      }
    }
    this.#failedAt.set(equivalenceGroup.id, this.#version)
    return false
  }

  /**
   * Places a pod with one of its alternatives: on the first node or claim that takes it, or on a new claim of the pool with the highest
   * weight.
   */
  #place(pod: BatchPod, alternatives: readonly Variant[]): Outcome {
    const variant = this.#placeOnNode(pod, alternatives)
    if (variant !== undefined) return variant
    const inOrder = alternatives.length > 1 ? this.#byWeight(pod.equivalenceGroup, alternatives) : alternatives
    for (let place = 0; place < inOrder.length; place++) {
      const alternative = inOrder[place]
      if (alternative === undefined) continue
      this.#trial.begin()
      if (this.claims.size > 0 && this.#joinClaim(pod, alternative)) return alternative
      const outcome = this.#openClaim(pod, alternative)
      if (outcome !== NOT_PLACED) return outcome
    }
    return NOT_PLACED
  }

  /**
   * Sorts the alternatives by weight, highest first. The weight of an alternative is that of the NodePool with the highest weight that
   * could create a claim for it. Alternatives with equal weight keep their order.
   */
  #byWeight(equivalenceGroup: EquivalenceGroup, alternatives: readonly Variant[]): readonly Variant[] {
    const weights = new Map(alternatives.map((variant) => [variant, this.#heaviestWeight(equivalenceGroup, variant)]))
    return alternatives.toSorted((a, b) => (weights.get(b) ?? -1) - (weights.get(a) ?? -1))
  }

  /** Returns the highest weight of a pool that would open a claim for a variant; -1 if there is none. */
  #heaviestWeight(equivalenceGroup: EquivalenceGroup, variant: Variant): number {
    this.#trial.begin()
    for (const template of this.problem.templates) {
      this.#steps++
      const limits = this.limits[template.index]
      if (limits === undefined || limits.nodesExhausted) continue
      if (this.#ignoresCommitments && template.commitment !== undefined) continue
      const root = this.#rootFor(template, limits, equivalenceGroup, variant)
      if (root === NO_CONSTRAINTS || this.#trial.opened(root, variant, equivalenceGroup) === NO_CONSTRAINTS) continue
      return template.pool.spec.weight ?? 0
    }
    return -1
  }

  /** Returns the initial constraints of a pool's new claim; `NO_CONSTRAINTS` if access, taints, limits or hostname terms refuse the pod. */
  #rootFor(
    template: Template,
    limits: PoolLimits,
    equivalenceGroup: EquivalenceGroup,
    variant: Variant,
  ): ConstraintsId {
    const { constraintsTable } = this.problem
    if (!this.problem.admits(variant.tolerations, template.taints, template.name)) return NO_CONSTRAINTS
    const allowed = limits.allowed(constraintsTable)
    if (allowed === undefined) return NO_CONSTRAINTS
    const host = hostOfClaim(this.nodes.size, this.claims.nextId)
    return this.counts.allowsHost(variant, equivalenceGroup, host)
      ? constraintsTable.root(template.index, allowed)
      : NO_CONSTRAINTS
  }

  #placeOnNode(pod: BatchPod, alternatives: readonly Variant[]): Variant | undefined {
    const { equivalenceGroup } = pod
    let first = NO_NODE
    let accepted: Variant | undefined
    for (let place = 0; place < alternatives.length; place++) {
      const variant = alternatives[place]
      if (variant === undefined) continue
      const node = this.nodes.find(equivalenceGroup, variant)
      if (node === NO_NODE || (accepted !== undefined && node >= first)) continue
      first = node
      accepted = variant
    }
    this.#steps += this.nodes.takeSteps()
    if (accepted === undefined) return undefined
    // `place` takes the devices that the last call of `accepts` found. So `accepts` is called once more for the chosen node.
    if (alternatives.length > 1) this.nodes.accepts(first, equivalenceGroup, accepted)
    this.nodes.place(first, pod)
    return accepted
  }

  #joinClaim(pod: BatchPod, variant: Variant): boolean {
    const { equivalenceGroup } = pod
    const claim = this.#search.find(variant, equivalenceGroup)
    if (claim < 0) return false
    const to = this.#search.reached
    const constraints = this.problem.constraintsTable.get(to)
    this.claims.place(claim, constraints, pod, equivalenceGroup.row)
    this.limits[constraints.index.template.index]?.take(claim, constraints, this.#trial.total)
    this.#settle(claim, to, equivalenceGroup)
    return true
  }

  #openClaim(pod: BatchPod, variant: Variant): Outcome {
    const { problem, claims } = this
    const { equivalenceGroup } = pod
    for (const template of problem.templates) {
      this.#steps++
      const limits = this.limits[template.index]
      if (limits === undefined || limits.nodesExhausted) continue
      if (this.#ignoresCommitments && template.commitment !== undefined) continue
      const root = this.#rootFor(template, limits, equivalenceGroup, variant)
      if (root === NO_CONSTRAINTS) continue
      const found = this.#trial.opened(root, variant, equivalenceGroup)
      if (found === 'deferred') return DEFERRED
      if (found === NO_CONSTRAINTS) continue
      const constraints = problem.constraintsTable.get(found)
      const claim = claims.nextId
      if (!limits.take(claim, constraints, equivalenceGroup.row)) continue
      claims.add(constraints, pod, equivalenceGroup.row)
      this.#settle(claim, found, equivalenceGroup)
      return variant
    }
    return NOT_PLACED
  }

  /** Records the host ports, topology counts, devices and reservations of a claim that has taken a pod. */
  #settle(claim: ClaimId, constraintsId: ConstraintsId, equivalenceGroup: EquivalenceGroup): void {
    this.#search.took(claim, equivalenceGroup)
    this.counts.recordOnClaim(equivalenceGroup, hostOfClaim(this.nodes.size, claim), constraintsId)
    this.#trial.settle(claim, constraintsId, equivalenceGroup)
  }
}
