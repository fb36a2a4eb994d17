import { NO_STATE } from '../catalogue/states.ts'
import { ClaimIndex, type ClaimVerdict, NEVER, NOT_NOW, TAKEN } from '../claims/claim-index.ts'
import { ClaimTable, SLACK_COLUMNS } from '../claims/claim-table.ts'
import { DeviceRun } from '../devices/device-run.ts'
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
const NONE_GONE: ReadonlySet<number> = new Set()
/** Questions mostly end with a claim or none. */
const FEW_CLAIMS = 4
const NONE_REFUSED = new Uint8Array(0)

/** Kinds of pods with fewer are found a claim by walking, the others by an index of their own. */
const INDEX_FROM = 12

type Outcome = typeof NOT_PLACED | typeof PLACED | typeof DEFERRED

/** One decision under way: places pods one by one in upstream's order (`spec/scheduling.md` 3). */
export class Run {
  readonly world: World
  readonly claims: ClaimTable
  readonly nodes: ExistingNodes
  readonly counts: TopologyCounts
  readonly limits: readonly PoolLimits[]
  readonly reservations: Reservations
  /** Set when a pod of the world claims devices. */
  readonly devices: DeviceRun | undefined
  readonly claimPorts: (readonly HostPort[] | undefined)[] = []
  /** How many wishes were given up for each placed pod that has not all of them. */
  readonly levels = new Map<BatchPod, number>()
  /** Classes (by number) whose pods wait for reserved capacity to be free. */
  readonly deferred = new Set<number>()
  steps = 0
  /** Rises with every placement. */
  #version = 0
  readonly #narrowing: Narrowing
  /** Number of the attempt, and by state what was found out in it. */
  #attempt = 0
  #openStamps = new Int32Array(64)
  /** By host terms (`Variant.hostKey`): 1 for claims that refuse them for good. */
  readonly #refused: (Uint8Array | undefined)[] = []
  readonly #failedAt = new Map<number, number>()
  readonly #total: Float64Array
  readonly #indexes = new Map<number, ClaimIndex>()
  /** Least that any pod still to be placed asks for. */
  readonly #least = new Float64Array(SLACK_COLUMNS)
  readonly #isWhatIf: boolean
  readonly #indexFrom: number
  #podClass: PodClass | undefined
  #variant: Variant | undefined

  /**
   * `gone` are nodes (by number) that no longer count, nor do the pods that run there. A run with it borrows the room of
   * the world's nodes: `nodes.rollBack` must follow. `indexFrom` is for tests of the index on small inputs.
   */
  constructor(world: World, gone?: ReadonlySet<number>, indexFrom = INDEX_FROM) {
    this.world = world
    this.#indexFrom = indexFrom
    this.#isWhatIf = gone !== undefined
    gone ??= NONE_GONE
    const { table, templates, options, pods } = world
    this.claims = this.#isWhatIf ? new ClaimTable(table.width, FEW_CLAIMS) : new ClaimTable(table.width)
    this.counts = new TopologyCounts(world.groups.list, world.nodes, world.domains, world.states, classesOf(pods))
    for (const node of gone) {
      const existing = world.nodes[node]
      if (existing === undefined) continue
      for (const { pod, podClass } of world.running.get(node) ?? []) {
        // Pods that are going already were never counted.
        if (pod.metadata.deletionTimestamp === undefined) this.counts.recordOnNode(podClass, node, existing, -1)
      }
    }
    this.devices =
      world.devices === undefined ? undefined : new DeviceRun(world.devices, world.snapshot.pools, world.states, gone)
    this.nodes = new ExistingNodes(world.nodeTable, this.counts, gone, this.#isWhatIf, this.devices)
    this.limits = templates.map((template) => new PoolLimits(template, world.poolUse, pods.length, gone, world.nodes))
    this.reservations = new Reservations(templates, options.reservedMode !== 'Fallback')
    this.#narrowing = new Narrowing(world.states, this.counts)
    this.#total = new Float64Array(table.width)
  }

  /** Places what can be placed of `queue`; returns the pods that are left. */
  solve(queue: BatchPod[]): BatchPod[] {
    const failed = new Set<BatchPod>()
    let waiting = this.#keepPlaces(queue)
    // A cycle tries every pod that is left once; one without a success changes nothing, so it is the last.
    while (waiting.length > 0) {
      const left: BatchPod[] = []
      const leastFrom = leastRequests(waiting)
      const leastFailed = new Float64Array(SLACK_COLUMNS).fill(Number.POSITIVE_INFINITY)
      let successes = 0
      for (let place = 0; place < waiting.length; place++) {
        const pod = waiting[place]
        if (pod === undefined) continue
        for (let column = 0; column < SLACK_COLUMNS; column++) {
          this.#least[column] = Math.min(leastFrom[place * SLACK_COLUMNS + column] ?? 0, leastFailed[column] ?? 0)
        }
        if (this.#try(pod)) {
          successes++
          failed.delete(pod)
        } else {
          failed.add(pod)
          left.push(pod)
          for (let column = 0; column < SLACK_COLUMNS; column++) {
            leastFailed[column] = Math.min(leastFailed[column] ?? 0, pod.podClass.row[column] ?? 0)
          }
        }
      }
      if (successes === 0) break
      waiting = left
    }
    return [...failed]
  }

  /**
   * Places pods where an earlier decision did, as long as they fit there, with as few wishes given up as can be; answers
   * the others. The order is the queue's, in which the earlier decision kept every spread. Pods that are left are tried
   * again, since one may have been waiting for another.
   */
  #keepPlaces(queue: BatchPod[]): BatchPod[] {
    const { plannedNode } = this.world
    if (plannedNode.size === 0) return queue
    const kept = new Set<BatchPod>()
    let left = queue.filter((pod) => plannedNode.has(pod) && pod.podClass.refusal === undefined)
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
    const { plannedNode, builder } = this.world
    const { podClass } = pod
    const node = plannedNode.get(pod)
    if (node === undefined) return false
    for (let level = 0; ; level++) {
      const variant = builder.variant(podClass, level)
      if (variant === undefined) return false
      this.steps++
      if (!this.nodes.accepts(node, podClass, variant)) continue
      this.nodes.place(node, pod)
      this.#placed(pod, level)
      return true
    }
  }

  #placed(pod: BatchPod, level: number): void {
    const { podClass } = pod
    this.#version++
    if (level > 0) this.levels.set(pod, level)
    if (!this.#isWhatIf) this.#release(podClass, level)
    this.deferred.delete(podClass.id)
  }

  /** The state of a new claim with a pod, after the best choice of domains; for explanations. */
  bestState(from: number, variant: Variant, podClass: PodClass): number {
    this.#narrowing.begin()
    return this.#narrowing.best(from, variant, podClass, 0)
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
        this.#placed(pod, level)
        return true
      }
      if (outcome === DEFERRED) {
        this.deferred.add(podClass.id)
        break
      }
    }
    this.#failedAt.set(podClass.id, this.#version)
    return false
  }

  #place(pod: BatchPod, variant: Variant): Outcome {
    this.#narrowing.begin()
    this.#attempt++
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
    if (this.claims.size === 0) return false
    this.#podClass = pod.podClass
    this.#variant = variant
    const index = this.#indexOf(variant, pod.podClass)
    const claim = index === undefined ? this.#walk() : index.find(this.#isOpen, this.#judge)
    if (claim < 0) return false
    this.#sum(claim, pod.podClass.row)
    const to = this.#reach(this.claims.state[claim] ?? NO_STATE, variant, pod.podClass, claim)
    this.claims.place(claim, this.world.states.get(to), pod, pod.podClass.row)
    this.#settle(claim, to, pod.podClass)
    return true
  }

  /** The index of a kind of pods, if there are enough of them to make one. */
  #indexOf({ fitKey, expected }: Variant, podClass: PodClass): ClaimIndex | undefined {
    let index = this.#indexes.get(fitKey)
    if (index === undefined && expected.pods >= this.#indexFrom && !this.#isWhatIf) {
      index = new ClaimIndex(this.claims, podClass.row)
      this.#indexes.set(fitKey, index)
    }
    return index
  }

  /** One pod less will ask with the variants that were tried for it. */
  #release(podClass: PodClass, level: number): void {
    podClass.left--
    for (let tried = 0; tried <= level; tried++) {
      const variant = podClass.variants[tried]
      if (variant === undefined || --variant.expected.pods > 0) continue
      this.#indexes.get(variant.fitKey)?.release()
      this.#indexes.delete(variant.fitKey)
    }
  }

  /** Whether claims in a state may take the pod of this attempt, as far as requirements and open domains say. */
  readonly #isOpen = (stateId: number): boolean => {
    if (stateId >= this.#openStamps.length) this.#openStamps = grown(this.#openStamps, stateId)
    // The attempt and the verdict as one number.
    const stamp = this.#openStamps[stateId] ?? 0
    if (stamp >> 1 === this.#attempt) return (stamp & 1) === 1
    const isOpen = this.#mayTake(stateId)
    this.#openStamps[stateId] = (this.#attempt << 1) | (isOpen ? 1 : 0)
    return isOpen
  }

  #mayTake(stateId: number): boolean {
    const variant = this.#variant
    const podClass = this.#podClass
    if (variant === undefined || podClass === undefined) return false
    const { taints } = this.world.states.get(stateId).index.template
    if (taints.length > 0 && !this.world.tolerates(variant.tolerations, taints)) return false
    return podClass.volumeAlternatives.length > 1 || this.#narrowing.best(stateId, variant, podClass, 0) !== NO_STATE
  }

  readonly #judge = (claim: number): ClaimVerdict => {
    this.steps++
    const variant = this.#variant
    const podClass = this.#podClass
    if (variant === undefined || podClass === undefined) return NOT_NOW
    if (variant.hostGroups.length > 0 && !this.counts.allowsHost(variant, podClass, this.nodes.size + claim)) {
      if (this.counts.mayRelent(variant)) return NOT_NOW
      this.#refuse(variant.hostKey, claim)
      return NEVER
    }
    const from = this.claims.state[claim] ?? NO_STATE
    this.#sum(claim, podClass.row)
    if (!this.#fits(from)) return NEVER
    if (podClass.ports.length > 0) {
      const ports = this.claimPorts[claim]
      if (ports !== undefined && portsConflict(podClass.ports, ports)) return NEVER
    }
    return this.#reach(from, variant, podClass, claim) === NO_STATE ? NOT_NOW : TAKEN
  }

  /** Remembers that pods with these host terms are refused by a claim for good. */
  #refuse(hostKey: number, claim: number): void {
    let refused = this.#refused[hostKey]
    if (refused === undefined || claim >= refused.length) {
      const larger = new Uint8Array(this.claims.capacity)
      if (refused !== undefined) larger.set(refused)
      refused = larger
      this.#refused[hostKey] = refused
    }
    refused[claim] = 1
  }

  /**
   * The first claim in order that takes the pod, by looking at one after the other. Claims that are too full for any pod
   * still to come leave the walk; buckets in which none has the room are passed over.
   */
  #walk(): number {
    const { claims } = this
    const row = this.#podClass?.row
    if (row === undefined) return -1
    const least = this.#least
    const refused = this.#refused[this.#variant?.hostKey ?? 0] ?? NONE_REFUSED
    for (let bucket = 1; bucket < claims.buckets; bucket++) {
      if (!claims.mayHold(bucket, row)) continue
      let claim = claims.first(bucket)
      while (claim >= 0) {
        this.steps++
        if (refused[claim] === 1) {
          claim = claims.next[claim] ?? -1
          continue
        }
        const start = claim * SLACK_COLUMNS
        let column = 0
        while (column < SLACK_COLUMNS && (row[column] ?? 0) <= (claims.slack[start + column] ?? 0)) column++
        if (column < SLACK_COLUMNS) {
          claim =
            (least[column] ?? 0) > (claims.slack[start + column] ?? 0)
              ? claims.retire(claim)
              : (claims.next[claim] ?? -1)
          continue
        }
        if (this.#isOpen(claims.state[claim] ?? NO_STATE) && this.#judge(claim) === TAKEN) return claim
        claim = claims.next[claim] ?? -1
      }
      claims.tighten(bucket)
    }
    return -1
  }

  #sum(claim: number, row: Float64Array): void {
    const { width, used } = this.claims
    const start = claim * width
    for (let column = 0; column < width; column++)
      this.#total[column] = (used[start + column] ?? 0) + (row[column] ?? 0)
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
      const base =
        podClass.devices === undefined ? from : this.#withDevices(from, variant, podClass, alternative, claim)
      if (base === NO_STATE) continue
      const to = this.#narrowing.best(base, variant, podClass, alternative)
      if (to !== NO_STATE && this.#fits(to) && this.#isKept(to, claim)) return to
    }
    return NO_STATE
  }

  /** The state held to what can have the pod's devices. */
  #withDevices(from: number, variant: Variant, podClass: PodClass, alternative: number, claim: number): number {
    const { devices, claims, nodes } = this
    const joined = this.#narrowing.joined(from, variant, podClass, alternative)
    if (joined === NO_STATE || devices === undefined || podClass.devices === undefined) return joined
    return devices.narrow(nodes.size + claim, podClass.devices, joined, this.#total, claim < claims.size)
  }

  /** Takes a pod's devices for a claim, and gives back those of types that the claim has outgrown. */
  #settleDevices(devices: DeviceRun, claim: number, stateId: number, podClass: PodClass): void {
    const target = this.nodes.size + claim
    if (podClass.devices === undefined && !devices.holds(target)) return
    const types = fittingTypes(this.world.states.get(stateId), this.#total).map(({ type }) => type.name)
    devices.keep(target, types)
    if (podClass.devices !== undefined) devices.commit(target, types)
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

  #settle(claim: number, stateId: number, podClass: PodClass): void {
    if (podClass.ports.length > 0) this.claimPorts[claim] = [...(this.claimPorts[claim] ?? []), ...podClass.ports]
    this.counts.recordOnClaim(podClass, this.nodes.size + claim, stateId)
    if (this.devices !== undefined) this.#settleDevices(this.devices, claim, stateId, podClass)
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
      const claim = claims.add(world.states.get(found), pod, podClass.row)
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
      const { size } = this.claims
      const base = podClass.devices === undefined ? root : this.#withDevices(root, variant, podClass, alternative, size)
      if (base === NO_STATE) continue
      // The best choice is the first of all, and mostly good.
      const best = this.#narrowing.best(base, variant, podClass, alternative)
      const first = best === NO_STATE ? NO_STATE : this.#openState(best)
      if (first !== NO_STATE) return first
      for (const candidate of this.#narrowing.all(base, variant, podClass, alternative)) {
        const state = candidate === best ? NO_STATE : this.#openState(candidate)
        if (state !== NO_STATE) return state
      }
    }
    return NO_STATE
  }

  /** What a state that a new claim might have comes to, if the pod fits it. */
  #openState(candidate: number): number | 'deferred' {
    if (!this.#fits(candidate)) return NO_STATE
    const state = this.#withMinValues(candidate)
    if (state === NO_STATE || !this.reservations.isUsed) return state
    const verdict = this.reservations.verdict(undefined, this.world.states.get(state), this.#total)
    return verdict === 'refused' ? 'deferred' : state
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

const grown = (array: Int32Array, place: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(Math.max(place + 1, 2 * array.length))
  larger.set(array)
  return larger
}

/** For each place in a queue the least that any pod from there on asks for, by column. */
const leastRequests = (queue: readonly BatchPod[]): Float64Array => {
  const least = new Float64Array((queue.length + 1) * SLACK_COLUMNS).fill(Number.POSITIVE_INFINITY)
  for (let place = queue.length - 1; place >= 0; place--) {
    const row = queue[place]?.podClass.row
    for (let column = 0; column < SLACK_COLUMNS; column++) {
      const after = least[(place + 1) * SLACK_COLUMNS + column] ?? 0
      least[place * SLACK_COLUMNS + column] = Math.min(after, row?.[column] ?? 0)
    }
  }
  return least
}

const classesOf = (pods: readonly BatchPod[]): ReadonlySet<PodClass> => {
  const classes = new Set<PodClass>()
  for (const { podClass } of pods) classes.add(podClass)
  return classes
}
