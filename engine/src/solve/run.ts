import { NO_STATE } from '../catalogue/states.ts'
import { ClaimTable } from '../claims/claim-table.ts'
import { ExistingNodes } from '../nodes/existing-nodes.ts'
import { type HostPort, portsConflict } from '../pods/host-ports.ts'
import type { PodClass, Variant } from '../pods/pod-class.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { TopologyCounts } from '../topology/counts.ts'
import { fittingTypes } from './fitting-types.ts'
import { PoolLimits } from './limits.ts'
import { Narrowing } from './narrowing.ts'
import { Reservations } from './reservations.ts'
import type { BatchPod, World } from './world.ts'

const NOT_PLACED = 0
const PLACED = 1
/** Reserved capacity would serve the pod but is taken: it waits, and gives up no wish for it. */
const DEFERRED = 2
type Outcome = typeof NOT_PLACED | typeof PLACED | typeof DEFERRED

/** One decision under way: places pods one by one in upstream's order (`spec/scheduling.md` 3). */
export class Run {
  readonly world: World
  readonly claims: ClaimTable
  readonly nodes: ExistingNodes
  readonly counts: TopologyCounts
  readonly limits: readonly PoolLimits[]
  readonly reservations: Reservations
  readonly claimPorts: (readonly HostPort[] | undefined)[] = []
  /** How many wishes were given up for each placed pod. */
  readonly levels = new Map<BatchPod, number>()
  readonly deferred = new Set<BatchPod>()
  steps = 0
  /** Rises with every placement. */
  #version = 0
  readonly #narrowing: Narrowing
  readonly #failedAt = new Map<number, number>()
  readonly #total: Float64Array

  constructor(world: World) {
    this.world = world
    const { table, templates, options, pods } = world
    this.claims = new ClaimTable(table.width)
    this.counts = new TopologyCounts(world.groups.list, world.nodes, world.domains, world.states)
    this.nodes = new ExistingNodes(world, this.counts)
    this.limits = templates.map((template) => new PoolLimits(template, world.nodes, pods.length))
    this.reservations = new Reservations(templates, options.reservedMode !== 'Fallback')
    this.#narrowing = new Narrowing(world.states, this.counts)
    this.#total = new Float64Array(table.width)
  }

  /** Places what can be placed of `queue`; returns the pods that are left. */
  solve(queue: BatchPod[]): BatchPod[] {
    const failed = new Set<BatchPod>()
    let waiting = queue
    // A cycle tries every pod that is left once; one without a success changes nothing, so it is the last.
    while (waiting.length > 0) {
      const left: BatchPod[] = []
      let successes = 0
      for (const pod of waiting) {
        if (this.#try(pod)) {
          successes++
          failed.delete(pod)
        } else {
          failed.add(pod)
          left.push(pod)
        }
      }
      if (successes === 0) break
      waiting = left
    }
    return [...failed]
  }

  /** One attempt with all wishes, then with fewer and fewer. */
  #try(pod: BatchPod): boolean {
    const { podClass } = pod
    if (podClass.refusal !== undefined) return false
    if (this.#failedAt.get(podClass.id) === this.#version) return false
    for (let level = 0; ; level++) {
      const variant = this.world.builder.variant(podClass, level)
      if (variant === undefined) break
      const outcome = this.#place(pod, variant)
      if (outcome === PLACED) {
        this.#version++
        this.levels.set(pod, level)
        this.deferred.delete(pod)
        return true
      }
      if (outcome === DEFERRED) {
        this.deferred.add(pod)
        break
      }
    }
    this.#failedAt.set(podClass.id, this.#version)
    return false
  }

  #place(pod: BatchPod, variant: Variant): Outcome {
    this.#narrowing.begin()
    const { podClass } = pod
    const node = this.nodes.find(podClass, variant)
    this.steps += this.nodes.takeSteps()
    if (node >= 0) {
      this.nodes.place(node, pod)
      return PLACED
    }
    if (this.#joinClaim(pod, variant)) return PLACED
    return this.#openClaim(pod, variant)
  }

  #joinClaim(pod: BatchPod, variant: Variant): boolean {
    const { claims, world } = this
    const { podClass } = pod
    const { row } = podClass
    const { width } = claims
    for (let bucket = 1; bucket < claims.buckets; bucket++) {
      for (let claim = claims.first(bucket); claim >= 0; claim = claims.next[claim] ?? -1) {
        this.steps++
        const from = claims.state[claim] ?? NO_STATE
        const start = claim * width
        for (let column = 0; column < width; column++) {
          this.#total[column] = (claims.used[start + column] ?? 0) + (row[column] ?? 0)
        }
        if (!this.#fits(from)) continue
        if (!world.tolerates(variant.tolerations, world.states.get(from).index.template.taints)) continue
        const ports = this.claimPorts[claim]
        if (ports !== undefined && portsConflict(podClass.ports, ports)) continue
        if (!this.counts.allowsHost(variant, podClass, this.nodes.size + claim)) continue
        const to = this.#reach(from, variant, podClass, claim)
        if (to === NO_STATE) continue
        this.#add(claim, to, pod)
        return true
      }
    }
    return false
  }

  #fits(stateId: number): boolean {
    const { front, frontSize } = this.world.states.get(stateId)
    const { width } = this.claims
    for (let place = 0; place < frontSize; place++) {
      let column = 0
      while (column < width && (this.#total[column] ?? 0) <= (front[place * width + column] ?? 0)) column++
      if (column === width) return true
    }
    return false
  }

  /** The state a claim would be in with the pod, or `NO_STATE` if that cannot be. `#total` holds its requests then. */
  #reach(from: number, variant: Variant, podClass: PodClass, claim: number): number {
    const alternatives = Math.max(1, podClass.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      const to = this.#narrowing.best(from, variant, podClass, alternative)
      if (to !== NO_STATE && this.#fits(to) && this.#isKept(to, claim)) return to
    }
    return NO_STATE
  }

  /** `minValues` and reservations, which ask for more than one offering that fits. */
  #isKept(stateId: number, claim: number | undefined): boolean {
    const state = this.world.states.get(stateId)
    if (state.hasMinValues) {
      const types = fittingTypes(state, this.#total).map((type) => type.requirements)
      if (types.length === 0 || unmetMinValues(state.requirements, types).size > 0) return false
    }
    if (!this.reservations.isUsed) return true
    return this.reservations.verdict(claim, state, this.#total) !== 'refused'
  }

  #add(claim: number, state: number, pod: BatchPod): void {
    const { podClass } = pod
    this.claims.place(claim, state, pod, podClass.row)
    this.#settle(claim, state, podClass)
  }

  #settle(claim: number, stateId: number, podClass: PodClass): void {
    if (podClass.ports.length > 0) this.claimPorts[claim] = [...(this.claimPorts[claim] ?? []), ...podClass.ports]
    this.counts.recordOnClaim(podClass, this.nodes.size + claim, stateId)
    if (!this.reservations.isUsed) return
    const verdict = this.reservations.verdict(claim, this.world.states.get(stateId), this.#total)
    if (verdict !== 'refused') this.reservations.hold(claim, verdict)
  }

  #openClaim(pod: BatchPod, variant: Variant): Outcome {
    const { world, claims } = this
    const { podClass } = pod
    for (const template of world.templates) {
      this.steps++
      const limits = this.limits[template.index]
      if (limits === undefined || limits.nodesExhausted) continue
      if (!world.tolerates(variant.tolerations, template.taints)) continue
      const allowed = limits.allowed(world.states)
      if (allowed === undefined) continue
      const root = world.states.root(template.index, allowed)
      if (root === NO_STATE || !this.counts.allowsHost(variant, podClass, this.nodes.size + claims.size)) continue
      this.#total.set(podClass.row)
      const found = this.#firstState(root, variant, podClass)
      if (found === 'deferred') return DEFERRED
      if (found === NO_STATE) continue
      const claim = claims.add(found, pod, podClass.row)
      limits.take(world.states.get(found), this.#total)
      this.#settle(claim, found, podClass)
      return PLACED
    }
    return NOT_PLACED
  }

  /** The state of a new claim with the pod: each alternative of its volumes, each domain its topology allows, best first. */
  #firstState(root: number, variant: Variant, podClass: PodClass): number | 'deferred' {
    const alternatives = Math.max(1, podClass.volumeAlternatives.length)
    for (let alternative = 0; alternative < alternatives; alternative++) {
      for (const candidate of this.#narrowing.all(root, variant, podClass, alternative)) {
        if (!this.#fits(candidate)) continue
        const state = this.#withMinValues(candidate)
        if (state === NO_STATE) continue
        if (this.reservations.isUsed) {
          const verdict = this.reservations.verdict(undefined, this.world.states.get(state), this.#total)
          if (verdict === 'refused') return 'deferred'
        }
        return state
      }
    }
    return NO_STATE
  }

  /** A new claim's state if its types reach `minValues`, or with `minValues` lowered to what they reach, as the policy says. */
  #withMinValues(stateId: number): number {
    const { states, options } = this.world
    const state = states.get(stateId)
    if (!state.hasMinValues) return stateId
    const types = fittingTypes(state, this.#total).map((type) => type.requirements)
    const unmet = unmetMinValues(state.requirements, types)
    if (unmet.size === 0) return types.length > 0 ? stateId : NO_STATE
    if (options.minValuesPolicy !== 'BestEffort') return NO_STATE
    let relaxed = stateId
    for (const [key, reached] of unmet) {
      relaxed = states.replace(relaxed, state.requirements.get(key).withMinValues(reached))
    }
    return relaxed
  }
}
