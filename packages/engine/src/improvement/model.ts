import type { UsdPerHour } from '@kerf/apis'
import { floatAt, outOfRange } from '../column.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { type ClaimConstraints, NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import type { ConstraintsId, RequirementsId } from '../model/ids.ts'
import { NO_REQUIREMENTS } from '../model/ids.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { Run } from '../packing/packing-run.ts'
import { portsConflict } from '../pods/host-ports.ts'
import { labels } from '../requirements/label-rules.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { atOnce, type Steps } from '../steps.ts'
import { ClaimDomains, countedKeys } from './claim-domains.ts'
import { FEWER_NODES_COST_SHARE } from './cost-share.ts'
import { computeFlexibility, type Flexibility, lesserFlexibility, NO_FLEXIBILITY } from './flexibility.ts'
import { bindingGroups, computeHardness, computeHostRules, type HostRule, type HostRules } from './host-rules.ts'
import { PodSetTable, podSetText, type RawPodSet } from './pod-sets.ts'
import { computeShapes, type Demand, type Shape } from './shapes.ts'

/** Pods that the improvement pass treats as interchangeable. */
export interface PodSet extends Demand {
  readonly id: number
  readonly pods: readonly BatchPod[]
  /** The effect of its pods on other pods on their host; `undefined` if there is none. */
  readonly rule: HostRule | undefined
  /** Whether pods outside the model may conflict with pods of this set on one host. */
  readonly mayConflict: boolean
  /** The flexibility that a spot node with a pod of this set needs: at most that of the first plan. */
  readonly flexibility: Flexibility
}

/** A claim of the first plan. */
export interface FirstClaim {
  readonly template: number
  readonly constraints: ConstraintsId
  readonly used: Float64Array
  readonly entries: readonly (readonly [podSet: number, count: number])[]
  /** Pods that stay on this claim, because a move could affect other pods in ways that the model does not cover. */
  readonly fixed: readonly BatchPod[]
  /** The claim's constraints and requests with only the fixed pods. */
  readonly fixedConstraints: ConstraintsId
  readonly fixedUsed: Float64Array
}

/** The first plan in the form that the improvement pass uses: pod sets with counts, and claims as bins. */
export interface Model {
  readonly run: Run
  readonly constraintsTable: ClaimConstraintsTable
  readonly width: number
  readonly podSets: readonly PodSet[]
  readonly shapes: readonly Shape[]
  /** The number of each pod set's shape. */
  readonly shapeOf: Int32Array
  readonly hostRules: HostRules
  readonly claims: readonly FirstClaim[]
  /** Claims that do not change, because they hold reserved capacity or devices, or because a commitment covers them. */
  readonly kept: readonly PackedClaim[]
  /** The constraints of a new node of each template; `NO_CONSTRAINTS` if the template can launch no node. */
  readonly roots: readonly ConstraintsId[]
  /** The overhead cost per node, in addition to the price of its instance. All prices in the model include it. */
  readonly nodeOverheadCost: UsdPerHour
  /** Whether a plan with fewer nodes is preferred among plans that cost nearly the same. */
  readonly prefersFewerNodes: boolean
  /** How much more a plan with fewer nodes may cost, as a fraction of the cost of the cheapest plan that was found. */
  readonly fewerNodesCostShare: number
  /** The number of the requirement that excludes reserved capacity from new nodes; 0 if there is no reserved capacity. */
  readonly unreserved: RequirementsId
}

/** The number of claims to read in one step, which takes a few milliseconds. */
const CLAIMS_A_STEP = 100
const UNRESERVED = Requirements.of([new Requirement(labels.capacityType, true, new Set(['reserved']))])

/**
 * Builds the model of the improvement pass from a finished run; `undefined` if there is nothing to improve. Yields after every
 * hundred claims.
 */
export function* modelInSteps(run: Run): Steps<Model | undefined> {
  const { problem, claims } = run
  const { constraintsTable, templates } = problem
  if (claims.size === 0) return undefined
  const { isUsed } = run.reservations
  // The first pass counted reservations. Claims that hold reservations keep them. All other nodes must not use reserved capacity.
  const unreserved = isUsed ? constraintsTable.requirementNumber(UNRESERVED) : NO_REQUIREMENTS
  const table = new PodSetTable(run)
  const read: ReadClaim[] = []
  const kept: PackedClaim[] = []
  let count = 0
  for (const claim of claims.inOrder()) {
    if (++count % CLAIMS_A_STEP === 0) yield
    const used = claims.used.slice(claim * claims.width, (claim + 1) * claims.width)
    const pods = claims.pods[claim] ?? []
    const packed = claims.constraintsOf(claim)
    const reservations = run.reservations.held(claim)
    const constraintsId = constraintsTable.join(packed, unreserved)
    const isPrepaid = constraintsTable.get(packed).index.template.commitment !== undefined
    if (isPrepaid || (reservations?.size ?? 0) > 0 || constraintsId === NO_CONSTRAINTS || hasDevices(run, pods)) {
      kept.push(run.packedClaim(claim))
      continue
    }
    read.push(readClaim(run, table, constraintsTable.get(constraintsId), used, pods))
  }
  if (table.podSets.length === 0) return undefined
  const { merged, numbers } = withoutIdleTerms(table.podSets)
  const hostRules = computeHostRules(merged, narrowing(constraintsTable))
  const shapes = computeShapes(merged, computeHardness(merged, hostRules))
  const shapeOf = new Int32Array(merged.length)
  for (const { id, podSets } of shapes) for (const podSet of podSets) shapeOf[podSet] = id
  return {
    run,
    constraintsTable,
    width: claims.width,
    podSets: merged.map((raw, id) => ({ ...raw, id, rule: hostRules.rules[id] })),
    shapes,
    shapeOf,
    hostRules,
    claims: read.map(({ counts, ...claim }) => ({ ...claim, entries: mergedEntries(counts, numbers) })),
    kept,
    nodeOverheadCost: problem.options.nodeOverheadCost ?? 0,
    prefersFewerNodes: problem.options.prefersFewerNodes ?? true,
    fewerNodesCostShare: problem.options.fewerNodesCostShare ?? FEWER_NODES_COST_SHARE,
    unreserved,
    roots: templates.map(({ index, commitment }) => {
      // The first pass used the commitments as far as possible. The prices of further nodes do not depend on commitments.
      if (commitment !== undefined) return NO_CONSTRAINTS
      const root = constraintsTable.root(index)
      return root === NO_CONSTRAINTS ? root : constraintsTable.join(root, unreserved)
    }),
  }
}

/** Does the same as `modelInSteps` at once. */
export const buildModel = (run: Run): Model | undefined => atOnce(modelInSteps(run))

/** A claim of the first plan, with the number of its pods per pod set. */
type ReadClaim = Omit<FirstClaim, 'entries'> & { readonly counts: ReadonlyMap<number, number> }

/** Sorts the pods of a claim into pod sets and fixed pods. */
const readClaim = (
  run: Run,
  table: PodSetTable,
  constraints: ClaimConstraints,
  used: Float64Array,
  pods: readonly BatchPod[],
): ReadClaim => {
  const isChosen = constraints.index.template.pool.metadata.name !== run.problem.options.withoutSpotChoiceOf
  const flexibility = isChosen ? computeFlexibility(constraints, used) : NO_FLEXIBILITY
  const domains = new ClaimDomains(run, constraints, used)
  const counts = new Map<number, number>()
  const fixed: BatchPod[] = []
  for (const pod of pods) {
    const podSet = table.of(pod, constraints, domains)
    const entry = table.podSets[podSet]
    if (entry === undefined) {
      fixed.push(pod)
      continue
    }
    entry.pods.push(pod)
    const before = counts.get(podSet)
    if (before === undefined) entry.flexibility = lesserFlexibility(entry.flexibility, flexibility)
    counts.set(podSet, (before ?? 0) + 1)
  }
  return {
    template: constraints.index.template.index,
    constraints: constraints.id,
    used,
    counts,
    fixed,
    fixedConstraints: constraintsWithFixedPods(run, fixed, constraints, domains),
    fixedUsed: totalRequests(fixed, run.claims.width),
  }
}

/** Returns whether a pod of the claim has devices. They are allocated on this claim, so the claim and all its pods must not change. */
const hasDevices = ({ devices }: Run, pods: readonly BatchPod[]): boolean =>
  devices !== undefined && pods.some(({ equivalenceGroup }) => equivalenceGroup.devices !== undefined)

/**
 * Returns a function that reports whether a pod set would narrow domains that another pod set must keep open on a node. The function caches
 * its results for equal demands.
 */
const narrowing = (constraintsTable: ClaimConstraintsTable): ((open: RawPodSet, other: RawPodSet) => boolean) => {
  const known = new Map<Requirement, Map<string, boolean>>()
  const narrows = (pin: Requirement, requirements: readonly RequirementsId[]): boolean => {
    const verdicts = known.get(pin) ?? new Map<string, boolean>()
    known.set(pin, verdicts)
    const text = requirements.join()
    let verdict = verdicts.get(text)
    if (verdict === undefined) {
      verdict = requirements.some((number) => {
        const wanted = constraintsTable.requirementSet(number).get(pin.key)
        return [...pin.values].some((value) => !wanted.has(value))
      })
      verdicts.set(text, verdict)
    }
    return verdict
  }
  return ({ open }, { requirements }) => open.some((pin) => narrows(pin, requirements))
}

/** A pod set of the model that can still absorb equal pod sets. */
type MergedPodSet = RawPodSet & { mayConflict: boolean }

/** Removes host terms that no placement can violate, and merges pod sets that differed only in such terms. */
const withoutIdleTerms = (
  podSets: readonly RawPodSet[],
): { merged: readonly MergedPodSet[]; numbers: readonly number[] } => {
  const binding = bindingGroups(podSets)
  const merged: MergedPodSet[] = []
  const byText = new Map<string, number>()
  const numbers = podSets.map((podSet) => {
    const { owned, counted, ports } = podSet
    const reduced = {
      ...podSet,
      owned: owned.filter((group) => binding.has(group)),
      counted: counted.filter((group) => binding.has(group)),
      mayConflict: owned.length > 0 || counted.length > 0 || ports.length > 0 || podSet.open.length > 0,
    }
    const text = podSetText(reduced)
    const known = byText.get(text)
    const entry = merged[known ?? -1]
    if (known === undefined || entry === undefined) {
      byText.set(text, merged.length)
      return merged.push(reduced) - 1
    }
    for (const pod of podSet.pods) entry.pods.push(pod)
    entry.flexibility = lesserFlexibility(entry.flexibility, podSet.flexibility)
    entry.mayConflict ||= reduced.mayConflict
    return known
  })
  return { merged, numbers }
}

const mergedEntries = (
  counts: ReadonlyMap<number, number>,
  numbers: readonly number[],
): readonly (readonly [number, number])[] => {
  const sums = new Map<number, number>()
  for (const [raw, count] of counts) {
    const podSet = numbers[raw] ?? raw
    sums.set(podSet, (sums.get(podSet) ?? 0) + count)
  }
  return [...sums]
}

/**
 * Returns the constraints of a node after a pod of the pod set joins. Uses the first alternative that still allows the offering. Returns
 * `NO_CONSTRAINTS` if no alternative does.
 */
export const joinPodSet = (
  model: Model,
  constraints: ConstraintsId,
  podSet: Demand,
  offering: number,
): ConstraintsId => {
  for (const requirements of podSet.requirements) {
    const to = joinWith(model, constraints, podSet, requirements)
    if (to === constraints) return to
    if (to === NO_CONSTRAINTS) continue
    const { offerings } = model.constraintsTable.get(to)
    const word = offering >>> 5
    if (((offerings[word] ?? outOfRange('offerings', word)) & (1 << (offering & 31))) !== 0) return to
  }
  return NO_CONSTRAINTS
}

/** Returns the constraints of a node after a pod set joins with one of its alternatives. */
export const joinWith = (
  model: Model,
  constraints: ConstraintsId,
  { ports }: Demand,
  requirements: RequirementsId,
): ConstraintsId => {
  const { constraintsTable } = model
  const to = requirements === 0 ? constraints : constraintsTable.join(constraints, requirements)
  if (to === NO_CONSTRAINTS || ports.length === 0) return to
  const conflicting: number[] = []
  for (const [group, daemons] of constraintsTable.get(to).index.template.daemonGroups.entries()) {
    if (portsConflict(ports, daemons.ports)) conflicting.push(group)
  }
  return conflicting.length === 0 ? to : constraintsTable.exclude(to, conflicting)
}

const totalRequests = (pods: readonly BatchPod[], width: number): Float64Array => {
  const sum = new Float64Array(width)
  for (const { equivalenceGroup } of pods)
    for (let column = 0; column < width; column++)
      sum[column] = floatAt(sum, column) + floatAt(equivalenceGroup.row, column)
  return sum
}

/** Returns the constraints that a claim has with only its fixed pods, in their present domains. */
const constraintsWithFixedPods = (
  run: Run,
  fixed: readonly BatchPod[],
  constraints: ClaimConstraints,
  domains: ClaimDomains,
): ConstraintsId => {
  if (fixed.length === 0) return NO_CONSTRAINTS
  const { constraintsTable } = run.problem
  // Reservations, volumes with several alternatives, and host ports of daemons also affect the constraints. These effects cannot be derived
  // from the pods.
  if (run.reservations.isUsed) return constraints.id
  if (
    fixed.some(
      ({ equivalenceGroup }) => equivalenceGroup.volumeAlternatives.length > 1 || equivalenceGroup.ports.length > 0,
    )
  )
    return constraints.id
  let to = constraintsTable.root(constraints.index.template.index, constraints.allowed)
  for (const pod of fixed) {
    const level = run.levels.get(pod) ?? 0
    const variant = run.problem.variants.of(pod.equivalenceGroup, level)
    if (to === NO_CONSTRAINTS || variant === undefined) return constraints.id
    to = constraintsTable.join(to, variant.requirements)
    const [volumes] = pod.equivalenceGroup.volumeAlternatives
    if (to !== NO_CONSTRAINTS && volumes !== undefined)
      to = constraintsTable.join(to, constraintsTable.requirementNumber(volumes))
    for (const pin of domains.pins(countedKeys(pod, variant))) {
      if (to !== NO_CONSTRAINTS)
        to = constraintsTable.join(to, constraintsTable.requirementNumber(Requirements.of([pin])))
    }
  }
  return to === NO_CONSTRAINTS ? constraints.id : to
}
