import type { UsdPerHour } from '@kerf/apis'
import { floatAt, outOfRange } from '../column.ts'
import type { ClaimConstraintsTable } from '../instance-types/claim-constraints-table.ts'
import { type ClaimConstraints, NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { ConstraintsId, RequirementsId } from '../model/ids.ts'
import { NO_REQUIREMENTS } from '../model/ids.ts'
import type { PackedClaim } from '../model/packed-claim.ts'
import type { BatchPod } from '../model/pod-group.ts'
import type { Run } from '../packing/packing-run.ts'
import { portsConflict } from '../pods/host-ports.ts'
import { labels } from '../requirements/label-rules.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { atOnce, type Steps } from '../steps.ts'
import { ClaimDomains, countedKeys } from './claim-domains.ts'
import { type Flexibility, flexibilityOf, lesserFlexibility, NO_FLEXIBILITY } from './flexibility.ts'
import { bindingGroups, type HostRule, type HostRules, hardnessOf, hostRulesOf } from './host-rules.ts'
import { PodSetTable, type RawPodSet, textOf } from './pod-sets.ts'
import { type Demand, type Shape, shapesOf } from './shapes.ts'

/** Pods that the improvement may exchange for one another. */
export interface PodSet extends Demand {
  readonly id: number
  readonly pods: readonly BatchPod[]
  /** What it means for others on its host; `undefined` if nothing. */
  readonly rule: HostRule | undefined
  /** Pods that are not in the model might mind it on their host. */
  readonly mayConflict: boolean
  /** What a spot node with such a pod must have to choose from, as far as the first plan had it. */
  readonly flexibility: Flexibility
}

/** A claim of the first plan. */
export interface FirstClaim {
  readonly template: number
  readonly constraints: ConstraintsId
  readonly used: Float64Array
  readonly entries: readonly (readonly [podSet: number, count: number])[]
  /** Pods that stay: what they are to others cannot be told apart from where they are. */
  readonly fixed: readonly BatchPod[]
  /** The claim's constraints and requests with the fixed pods alone. */
  readonly fixedConstraints: ConstraintsId
  readonly fixedUsed: Float64Array
}

/** The first plan as the improvement sees it: pod sets with counts, claims as bins. */
export interface Model {
  readonly run: Run
  readonly constraintsTable: ClaimConstraintsTable
  readonly width: number
  readonly podSets: readonly PodSet[]
  readonly shapes: readonly Shape[]
  /** The shape of each pod set. */
  readonly shapeOf: Int32Array
  readonly hostRules: HostRules
  readonly claims: readonly FirstClaim[]
  /** Claims that stay as they are, because they hold reserved capacity. */
  readonly kept: readonly PackedClaim[]
  /** By template: the constraints of a new node, or `NO_CONSTRAINTS`. */
  readonly roots: readonly ConstraintsId[]
  /** What every node costs beside its instance: part of all prices here. */
  readonly nodeOverheadCost: UsdPerHour
  /** Whether of plans that cost nearly the same the one with fewer nodes is taken. */
  readonly prefersFewerNodes: boolean
  /** Number of the requirement that new nodes are not reserved capacity; 0 if there is none to avoid. */
  readonly unreserved: RequirementsId
}

/** Claims that are read in one step: a few milliseconds. */
const CLAIMS_A_STEP = 100
const UNRESERVED = Requirements.of([new Requirement(labels.capacityType, true, new Set(['reserved']))])

/** Reads the model out of a finished run; `undefined` if there is nothing to improve. A step is a hundred claims. */
export function* modelInSteps(run: Run): Steps<Model | undefined> {
  const { problem, claims } = run
  const { constraintsTable, templates } = problem
  if (claims.size === 0) return undefined
  const { isUsed } = run.reservations
  // Reservations are counted by the first pass: its claims keep theirs, and all others do without.
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
    if ((reservations?.size ?? 0) > 0 || constraintsId === NO_CONSTRAINTS || hasDevices(run, pods)) {
      kept.push(run.packedClaim(claim))
      continue
    }
    read.push(readClaim(run, table, constraintsTable.get(constraintsId), used, pods))
  }
  if (table.podSets.length === 0) return undefined
  const { merged, numbers } = withoutIdleTerms(table.podSets)
  const hostRules = hostRulesOf(merged, narrowing(constraintsTable))
  const shapes = shapesOf(merged, hardnessOf(merged, hostRules))
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
    unreserved,
    roots: templates.map(({ index }) => {
      const root = constraintsTable.root(index)
      return root === NO_CONSTRAINTS ? root : constraintsTable.join(root, unreserved)
    }),
  }
}

/** As `modelInSteps`, at once. */
export const modelOf = (run: Run): Model | undefined => atOnce(modelInSteps(run))

/** A claim of the first plan, with the pods of each pod set counted. */
type ReadClaim = Omit<FirstClaim, 'entries'> & { readonly counts: ReadonlyMap<number, number> }

/** Sorts the pods of a claim into pod sets, and those that must stay where they are. */
const readClaim = (
  run: Run,
  table: PodSetTable,
  constraints: ClaimConstraints,
  used: Float64Array,
  pods: readonly BatchPod[],
): ReadClaim => {
  const isChosen = constraints.index.template.pool.metadata.name !== run.problem.options.withoutSpotChoiceOf
  const flexibility = isChosen ? flexibilityOf(constraints, used) : NO_FLEXIBILITY
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
    fixedConstraints: fixedConstraintsOf(run, fixed, constraints, domains),
    fixedUsed: sumOf(fixed, run.claims.width),
  }
}

/** Devices are found for a pod on one claim: it stays there, and so do those it shares the node with. */
const hasDevices = ({ devices }: Run, pods: readonly BatchPod[]): boolean =>
  devices !== undefined && pods.some(({ podGroup }) => podGroup.devices !== undefined)

/** Whether a pod set would leave fewer domains on a node than another needs open there; worked out once for equal demands. */
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

/** A pod set of the model, while those that are equal to it are merged into it. */
type MergedPodSet = RawPodSet & { mayConflict: boolean }

/** The pod sets without host terms that bind nobody; pod sets that differed by nothing else become one. */
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
    const text = textOf(reduced)
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

/** The constraints of a node after a pod set joins in the first way that keeps an offering; `NO_CONSTRAINTS` if it may not. */
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

/** The constraints of a node after a pod set joins in one of its ways. */
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

const sumOf = (pods: readonly BatchPod[], width: number): Float64Array => {
  const sum = new Float64Array(width)
  for (const { podGroup } of pods)
    for (let column = 0; column < width; column++) sum[column] = floatAt(sum, column) + floatAt(podGroup.row, column)
  return sum
}

/** The constraints of a claim with its fixed pods alone, in the domains where they are. */
const fixedConstraintsOf = (
  run: Run,
  fixed: readonly BatchPod[],
  constraints: ClaimConstraints,
  domains: ClaimDomains,
): ConstraintsId => {
  if (fixed.length === 0) return NO_CONSTRAINTS
  const { constraintsTable } = run.problem
  // Volumes with several alternatives and daemons' host ports shaped the constraints in ways that the pods do not tell, and so
  // do reservations.
  if (run.reservations.isUsed) return constraints.id
  if (fixed.some(({ podGroup }) => podGroup.volumeAlternatives.length > 1 || podGroup.ports.length > 0))
    return constraints.id
  let to = constraintsTable.root(constraints.index.template.index, constraints.allowed)
  for (const pod of fixed) {
    const level = run.levels.get(pod) ?? 0
    const variant = run.problem.variants.of(pod.podGroup, level)
    if (to === NO_CONSTRAINTS || variant === undefined) return constraints.id
    to = constraintsTable.join(to, variant.requirements)
    const [volumes] = pod.podGroup.volumeAlternatives
    if (to !== NO_CONSTRAINTS && volumes !== undefined)
      to = constraintsTable.join(to, constraintsTable.requirementNumber(volumes))
    for (const pin of domains.pins(countedKeys(pod, variant))) {
      if (to !== NO_CONSTRAINTS)
        to = constraintsTable.join(to, constraintsTable.requirementNumber(Requirements.of([pin])))
    }
  }
  return to === NO_CONSTRAINTS ? constraints.id : to
}
