import type { Pod } from '@kerf/apis'
import { Reasons } from '../funnel/pod-reasons.ts'
import { defaultBudget, improve } from '../improvement/improve.ts'
import { decideApartInSteps } from '../isolation/decide-apart.ts'
import type { SetAside } from '../isolation/set-aside.ts'
import { Finaliser } from '../launch/finalise.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import { type PackOptions, packInSteps } from '../packing/pack.ts'
import { Run } from '../packing/packing-run.ts'
import { inPriorityOrder } from '../packing/priority-order.ts'
import { inQueueOrder } from '../packing/queue.ts'
import type { Plan, PlannedClaim, PlannedPlacement, UnschedulablePod } from '../plan.ts'
import { podName } from '../pods/pod-name.ts'
import { buildProblem, type Problem, problemInSteps } from '../problem/problem.ts'
import { detailTexts } from '../reasons/detail-texts.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { atOnce, PODS_PER_STEP, type Steps } from '../steps.ts'
import { cheaperPlan, mayGainWithoutCommitments } from './cheaper-plan.ts'
import { pendingByZone } from './effective-zones.ts'

/** The number of pods to compute reasons for in one step. */
const REASONS_PER_STEP = PODS_PER_STEP / 10
/** The number of claims that are finalised in one step. */
const CLAIMS_PER_STEP = 100

/** A decision whose snapshot and pods are already read and indexed. */
export interface PreparedDecision {
  /** Makes the decision. Call it only once. */
  decide(): Plan
}

/** Performs the first half of `schedule`: reads the snapshot and the pods. Use it to measure the halves separately. */
export const prepare = (
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  options: ScheduleOptions,
): PreparedDecision => {
  const problem = buildProblem(snapshot, pods, options)
  return { decide: () => atOnce(decideInSteps(problem)) }
}

function* decideInSteps(problem: Problem): Steps<Plan> {
  const { options, pods, table } = problem
  const zones = options.countsZones === true ? { pendingByZone: pendingByZone(new Run(problem)) } : {}
  const queue = inQueueOrder(table, pods)
  const decide = function* (packing: PackOptions): Steps<Plan> {
    const first = yield* packInSteps(problem, queue, packing)
    // If a ceiling leaves too little capacity for all pods, pods with higher priority are placed first. Without a shortage, larger pods are
    // placed first.
    const isShort = first.left.length > 0 && first.run.isAtCeiling
    const { run, left } = isShort ? yield* packInSteps(problem, inPriorityOrder(queue), packing) : first
    return yield* planInSteps(run, left, options.planBudget ?? defaultBudget(pods.length))
  }
  const plan = yield* decide({})
  if (!mayGainWithoutCommitments(plan)) return { ...plan, ...zones }
  return { ...cheaperPlan(plan, yield* decide({ ignoresCommitments: true })), ...zones }
}

function* readAndDecide(snapshot: ClusterSnapshot, pods: readonly Pod[], options: ScheduleOptions): Steps<Plan> {
  return yield* decideInSteps(yield* problemInSteps(snapshot, pods, options, []))
}

/**
 * Assigns pods to existing nodes or to nodes to launch, or leaves them pending (`docs/spec/scheduling.md`). The content of the snapshot or
 * the pods never makes it throw. If an object cannot be read, the plan contains the reason, and the other objects are planned as usual.
 * Equal input gives an equal plan, regardless of the order of pods, pools, instance types and nodes.
 */
export const schedule = (snapshot: ClusterSnapshot, pods: readonly Pod[], options: ScheduleOptions): Plan =>
  atOnce(scheduleInSteps(snapshot, pods, options))

/**
 * Does the same as `schedule` in steps of a few hundred nodes or pods; a small decision takes one step. Later changes of the cluster do not
 * affect the plan. The improvement pass is a single step, because its work is limited.
 */
export function* scheduleInSteps(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  options: ScheduleOptions,
): Steps<Plan> {
  const { result, setAside, kept } = yield* decideApartInSteps(snapshot, pods, (reduced, batch) =>
    readAndDecide(reduced, batch, options),
  )
  return setAside.length === 0 ? result : { ...withSetAside(result, setAside, kept), setAside }
}

const readableName = (pod: Pod): string => {
  try {
    return podName(pod)
  } catch {
    return ''
  }
}

/**
 * Adds the pods that were set aside to the plan. Pods that cannot be read are listed as unschedulable. The other pods stay on the nodes
 * that they were planned for.
 */
const withSetAside = (plan: Plan, setAside: readonly SetAside[], kept: ReadonlyMap<Pod, string>): Plan => {
  const refused = setAside.flatMap(({ kind, object, error }): readonly UnschedulablePod[] => {
    if (kind !== 'Pod') return []
    const pod = object as Pod
    const problem = detailTexts.unreadable(error)
    return [{ pod, reasons: [{ code: 'pod.invalid', subject: `pod/${readableName(pod)}`, detail: { problem } }] }]
  })
  const byNode = new Map<string, Pod[]>()
  for (const [pod, node] of kept) byNode.set(node, [...(byNode.get(node) ?? []), pod])
  return {
    ...plan,
    placements: [...plan.placements, ...Array.from(byNode, ([node, pods]) => ({ node, pods }))],
    unschedulable: [...plan.unschedulable, ...refused],
  }
}

/**
 * Returns the plan of a run, improved with `planBudget` units of work. `finaliser` may be shared with other runs of the same
 * problem, because its cached results are valid for all of them.
 */
export const buildPlan = (
  run: Run,
  left: readonly BatchPod[],
  planBudget: number,
  finaliser = new Finaliser(run.problem),
): Plan => atOnce(planInSteps(run, left, planBudget, finaliser))

/** Does the same as `buildPlan` in steps. */
function* planInSteps(
  run: Run,
  left: readonly BatchPod[],
  planBudget: number,
  finaliser = new Finaliser(run.problem),
): Steps<Plan> {
  const { problem, nodes, devices } = run
  const improved = planBudget > 0 ? improve(run, planBudget) : undefined
  const deviceDrivers = ({ equivalenceGroup }: BatchPod): readonly string[] =>
    equivalenceGroup.devices === undefined ? [] : (devices?.driversOf(equivalenceGroup.devices) ?? [])
  const planned: PlannedClaim[] = []
  const reasons = new Reasons(run)
  const unschedulable: UnschedulablePod[] = []
  for (const pod of left) {
    if (unschedulable.push({ pod: pod.pod, reasons: reasons.of(pod) }) % REASONS_PER_STEP === 0) yield
  }
  for (const packed of improved?.claims ?? run.writtenClaims()) {
    const result = finaliser.finalise(packed, deviceDrivers)
    if ('nodePool' in result) {
      if (planned.push(result) % CLAIMS_PER_STEP === 0) yield
    } else for (const { pod } of packed.pods) unschedulable.push({ pod, reasons: result })
  }
  const placements: PlannedPlacement[] = []
  for (const [index, placed] of [...nodes.pods].sort(([a], [b]) => a - b)) {
    placements.push({ node: problem.nodes[index]?.state.name ?? '', pods: placed.map(({ pod }) => pod) })
  }
  return {
    claims: planned,
    placements,
    unschedulable,
    hourlyCost: planned.reduce(
      (sum, { cheapest }) => sum + (cheapest.price ?? 0) + (problem.options.nodeOverheadCost ?? 0),
      0,
    ),
    unpricedClaims: planned.filter(({ cheapest }) => cheapest.price === undefined).length,
    steps: run.steps + Math.round(improved?.work ?? 0),
  }
}
