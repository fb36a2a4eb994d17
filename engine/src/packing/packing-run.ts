import { DeviceAllocation } from '../devices/device-allocation.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import { type ClaimId, type ConstraintsId, hostOfClaim, hostOfNode, NO_NODE, type NodeId } from '../model/ids.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { BatchPod, PodGroup, Variant } from '../model/pod-group.ts'
import type { Template } from '../model/template.ts'
import { ExistingNodes } from '../nodes/existing-nodes.ts'
import type { Problem } from '../problem/problem.ts'
import { atOnce, type Steps } from '../steps.ts'
import { TopologyCounts } from '../topology/topology-counts.ts'
import { ClaimSearch, INDEX_FROM } from './claim-search.ts'
import { ClaimTable } from './claim-table.ts'
import { ClaimTrial } from './claim-trial.ts'
import { LeastRequest } from './least-request.ts'
import { PoolLimits } from './limits.ts'
import { PendingPods } from './pending-pods.ts'
import { Reservations } from './reservations.ts'
import { withinLimits } from './written-types.ts'

const NOT_PLACED = 0
/** Reserved capacity would serve the pod but is taken: it stays pending, and gives up no preference for it. */
const DEFERRED = 1
const NONE_GONE: ReadonlySet<NodeId> = new Set()
/** Questions mostly end with a claim or none. */
const FEW_CLAIMS = 4

/** The variant with which a pod has a place, or why it has none. */
type Outcome = Variant | typeof NOT_PLACED | typeof DEFERRED

/** One decision under way: places pods one by one in upstream's order (`docs/spec/scheduling.md`). */
export class Run {
  readonly problem: Problem
  readonly claims: ClaimTable
  readonly nodes: ExistingNodes
  readonly counts: TopologyCounts
  readonly limits: readonly PoolLimits[]
  readonly reservations: Reservations
  /** Set when a pod of the world claims devices. */
  readonly devices: DeviceAllocation | undefined
  /** How many preferences were given up for each placed pod that gave up any. */
  readonly levels = new Map<BatchPod, number>()
  /** Classes (by number) whose pods wait for reserved capacity to be free. */
  readonly deferred = new Set<number>()
  /** Rises with every placement. */
  #version = 0
  /** By class (its number): the version in which a pod of it could not be placed. */
  readonly #failedAt = new Map<number, number>()
  readonly #least = new LeastRequest()
  /** Not counted for a question: it opens too few claims for an index. */
  readonly #pending: PendingPods | undefined
  readonly #isWhatIf: boolean
  readonly #indexFrom: number
  /** Most questions are answered without a claim, so what claims need is made when it is asked for. */
  #madeTrial: ClaimTrial | undefined
  #madeSearch: ClaimSearch | undefined
  #steps = 0

  /**
   * `gone` are nodes (by number) that no longer count, nor do the pods that run there. A run with it borrows the free amounts of
   * the world's nodes: `nodes.rollBack` must follow. `indexFrom` is for tests of the index on small inputs.
   */
  constructor(problem: Problem, gone?: ReadonlySet<NodeId>, indexFrom = INDEX_FROM) {
    this.problem = problem
    this.#isWhatIf = gone !== undefined
    gone ??= NONE_GONE
    const { table, templates, options, pods } = problem
    this.#pending = this.#isWhatIf ? undefined : new PendingPods(pods, problem.variants)
    this.#indexFrom = this.#isWhatIf ? Number.POSITIVE_INFINITY : indexFrom
    this.claims = this.#isWhatIf ? new ClaimTable(table.width, FEW_CLAIMS) : new ClaimTable(table.width)
    this.counts = new TopologyCounts(problem, pods)
    for (const node of gone) {
      const existing = problem.nodes[node]
      if (existing === undefined) continue
      for (const { podGroup } of problem.running.countedOn(node))
        this.counts.recordOnNode(podGroup, hostOfNode(node), existing, -1)
    }
    this.devices =
      problem.devices === undefined
        ? undefined
        : new DeviceAllocation(problem.devices, problem.snapshot.pools, problem.constraintsTable, gone)
    this.reservations = new Reservations(templates, options.reservedMode !== 'Fallback')
    this.nodes = new ExistingNodes(problem.nodeTable, this.counts, gone, this.#isWhatIf, this.devices)
    this.limits = templates.map((template) =>
      PoolLimits.of(template, problem.poolUse, pods.length, gone, problem.nodes),
    )
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

  /** Nodes, claims and templates that were looked at. */
  get steps(): number {
    return this.#steps + (this.#madeSearch?.steps ?? 0)
  }

  /** The claims as they are launched: with the types that the limits of their pools have room for. */
  writtenClaims(): readonly PackedClaim[] {
    const packed = this.claims.inOrder().map((claim) => this.packedClaim(claim))
    return withinLimits(this.limits, this.problem.constraintsTable, packed)
  }

  /** A claim as packing left it. */
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
   * Places what can be placed of `queue`; returns the pods that are left. Leaves off once there are more than `mostClaims`:
   * of the pods after that nothing is said.
   */
  solve(queue: readonly BatchPod[], mostClaims = Number.POSITIVE_INFINITY): BatchPod[] {
    return atOnce(this.solving(queue, Number.POSITIVE_INFINITY, mostClaims))
  }

  /** As `solve`, so many pods a step. */
  *solving(queue: readonly BatchPod[], podsAStep: number, mostClaims = Number.POSITIVE_INFINITY): Steps<BatchPod[]> {
    const failed = new Set<BatchPod>()
    let waiting = this.#keepPlaces(queue)
    // A cycle tries every pod that is left once; one without a success changes nothing, so it is the last.
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
          this.#least.leave(pod.podGroup)
        }
      }
      if (successes === 0) break
      waiting = left
    }
    return [...failed]
  }

  /**
   * Places pods where an earlier decision did, as long as they fit there, with as few preferences given up as can be; answers
   * the others. The order is the queue's, in which the earlier decision kept every spread. Pods that are left are tried
   * again, since one may have been waiting for another.
   */
  #keepPlaces(queue: readonly BatchPod[]): readonly BatchPod[] {
    const { plannedNode } = this.problem
    if (plannedNode.size === 0) return queue
    const kept = new Set<BatchPod>()
    let left = queue.filter((pod) => plannedNode.has(pod) && pod.podGroup.refusal === undefined)
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
    const { podGroup } = pod
    const node = plannedNode.get(pod)
    if (node === undefined) return false
    for (let given = 0; ; given++) {
      const alternatives = variants.alternatives(podGroup, given)
      if (alternatives === undefined) return false
      this.#asks(podGroup, alternatives, given)
      for (const variant of alternatives) {
        this.#steps++
        if (!this.nodes.accepts(node, podGroup, variant)) continue
        this.nodes.place(node, pod)
        this.#placed(pod, variant, alternatives)
        return true
      }
    }
  }

  /** The pods of a group begin to ask with variants that have some preferences given up. */
  #asks(podGroup: PodGroup, alternatives: readonly Variant[], given: number): void {
    if (given === 0 || this.#pending === undefined) return
    for (const variant of alternatives) this.#pending.tries(podGroup, variant)
  }

  #placed(pod: BatchPod, { level }: Variant, asked: readonly Variant[]): void {
    const { podGroup } = pod
    this.#version++
    if (level > 0) this.levels.set(pod, level)
    this.#pending?.placed(podGroup, asked.at(-1)?.level ?? level, this.#releaseIndex)
    this.deferred.delete(podGroup.id)
  }

  /** The constraints of a new claim with a pod, after the best choice of domains; for explanations. */
  bestConstraints(from: ConstraintsId, variant: Variant, podGroup: PodGroup): ConstraintsId {
    this.#trial.begin()
    return this.#trial.narrowed(from, variant, podGroup)
  }

  /** One attempt with all preferences, then with fewer and fewer. */
  #try(pod: BatchPod): boolean {
    const { podGroup } = pod
    if (podGroup.refusal !== undefined) return false
    if (this.#failedAt.get(podGroup.id) === this.#version) return false
    for (let given = 0; ; given++) {
      const alternatives = this.problem.variants.alternatives(podGroup, given)
      if (alternatives === undefined) break
      this.#asks(podGroup, alternatives, given)
      const outcome = this.#place(pod, alternatives)
      if (typeof outcome === 'object') {
        this.#placed(pod, outcome, alternatives)
        return true
      }
      if (outcome === DEFERRED) {
        this.deferred.add(podGroup.id)
        break
      }
    }
    this.#failedAt.set(podGroup.id, this.#version)
    return false
  }

  /** Places a pod with one of its alternatives: on the first node or claim that takes it, or in the heaviest pool. */
  #place(pod: BatchPod, alternatives: readonly Variant[]): Outcome {
    const variant = this.#placeOnNode(pod, alternatives)
    if (variant !== undefined) return variant
    const inOrder = alternatives.length > 1 ? this.#byWeight(pod.podGroup, alternatives) : alternatives
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

  /** Alternatives by the weight of the heaviest pool that would open a claim for each; among equals as they are written. */
  #byWeight(podGroup: PodGroup, alternatives: readonly Variant[]): readonly Variant[] {
    const weights = new Map(alternatives.map((variant) => [variant, this.#heaviestWeight(podGroup, variant)]))
    return alternatives.toSorted((a, b) => (weights.get(b) ?? -1) - (weights.get(a) ?? -1))
  }

  /** The weight of the heaviest pool that would open a claim for a variant; -1 for none. */
  #heaviestWeight(podGroup: PodGroup, variant: Variant): number {
    this.#trial.begin()
    for (const template of this.problem.templates) {
      this.#steps++
      const limits = this.limits[template.index]
      if (limits === undefined || limits.nodesExhausted) continue
      const root = this.#rootFor(template, limits, podGroup, variant)
      if (root === NO_CONSTRAINTS || this.#trial.opened(root, variant, podGroup) === NO_CONSTRAINTS) continue
      return template.pool.spec.weight ?? 0
    }
    return -1
  }

  /** What a new claim of a pool begins with; `NO_CONSTRAINTS` if taints, limits or host terms refuse the pod. */
  #rootFor(template: Template, limits: PoolLimits, podGroup: PodGroup, variant: Variant): ConstraintsId {
    const { constraintsTable } = this.problem
    if (!this.problem.tolerates(variant.tolerations, template.taints)) return NO_CONSTRAINTS
    const allowed = limits.allowed(constraintsTable)
    if (allowed === undefined) return NO_CONSTRAINTS
    const host = hostOfClaim(this.nodes.size, this.claims.nextId)
    return this.counts.allowsHost(variant, podGroup, host)
      ? constraintsTable.root(template.index, allowed)
      : NO_CONSTRAINTS
  }

  #placeOnNode(pod: BatchPod, alternatives: readonly Variant[]): Variant | undefined {
    const { podGroup } = pod
    let first = NO_NODE
    let accepted: Variant | undefined
    for (let place = 0; place < alternatives.length; place++) {
      const variant = alternatives[place]
      if (variant === undefined) continue
      const node = this.nodes.find(podGroup, variant)
      if (node === NO_NODE || (accepted !== undefined && node >= first)) continue
      first = node
      accepted = variant
    }
    this.#steps += this.nodes.takeSteps()
    if (accepted === undefined) return undefined
    // The devices that were found last are those of the node that was looked at last.
    if (alternatives.length > 1) this.nodes.accepts(first, podGroup, accepted)
    this.nodes.place(first, pod)
    return accepted
  }

  #joinClaim(pod: BatchPod, variant: Variant): boolean {
    const { podGroup } = pod
    const claim = this.#search.find(variant, podGroup)
    if (claim < 0) return false
    const to = this.#search.reached
    const constraints = this.problem.constraintsTable.get(to)
    this.claims.place(claim, constraints, pod, podGroup.row)
    this.limits[constraints.index.template.index]?.take(claim, constraints, this.#trial.total)
    this.#settle(claim, to, podGroup)
    return true
  }

  #openClaim(pod: BatchPod, variant: Variant): Outcome {
    const { problem, claims } = this
    const { podGroup } = pod
    for (const template of problem.templates) {
      this.#steps++
      const limits = this.limits[template.index]
      if (limits === undefined || limits.nodesExhausted) continue
      const root = this.#rootFor(template, limits, podGroup, variant)
      if (root === NO_CONSTRAINTS) continue
      const found = this.#trial.opened(root, variant, podGroup)
      if (found === 'deferred') return DEFERRED
      if (found === NO_CONSTRAINTS) continue
      const constraints = problem.constraintsTable.get(found)
      const claim = claims.nextId
      if (!limits.take(claim, constraints, podGroup.row)) continue
      claims.add(constraints, pod, podGroup.row)
      this.#settle(claim, found, podGroup)
      return variant
    }
    return NOT_PLACED
  }

  /** Writes down what a claim that has taken a pod leaves to the pods after it. */
  #settle(claim: ClaimId, constraintsId: ConstraintsId, podGroup: PodGroup): void {
    this.#search.took(claim, podGroup)
    this.counts.recordOnClaim(podGroup, hostOfClaim(this.nodes.size, claim), constraintsId)
    this.#trial.settle(claim, constraintsId, podGroup)
  }
}
