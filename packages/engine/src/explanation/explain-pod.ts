import type { Pod, ResourceList } from '@kerf/apis'
import { buildPlan, schedule } from '../decision/schedule.ts'
import { poolFunnels, Reasons } from '../funnel/pod-reasons.ts'
import type { PoolFunnel } from '../funnel/pool-funnel.ts'
import { defaultBudget } from '../improvement/improve.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import { pack } from '../packing/pack.ts'
import type { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import type { Plan } from '../plan.ts'
import { buildProblem } from '../problem/problem.ts'
import type { Reason } from '../reasons/reason.ts'
import { type Remedy, remedyOrder, remedyTexts } from '../reasons/remedy.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { podConstraints, raisableSkews } from './pod-constraint.ts'
import { policyRemedies } from './policy-remedies.ts'
import { raisedLimits } from './raised-limits.ts'

/**
 * An explanation of one pod: the node on which it was placed and why, or the reasons why it was not placed and the changes that would help.
 */
export interface PodExplanation {
  readonly pod: Pod
  readonly place:
    | { readonly kind: 'node'; readonly node: string }
    | {
        readonly kind: 'claim'
        readonly nodePool: string
        readonly instanceType: string
        readonly zone: string
        readonly capacityType: string
      }
    | { readonly kind: 'none' }
  /** The plan of the whole batch, as `schedule` returns it. */
  readonly plan: Plan
  readonly reasons: readonly Reason[]
  readonly funnels: readonly PoolFunnel[]
  /** Set only for a pod that was not placed. Each remedy has been tried: if this is the only change, the plan places the pod. */
  readonly remedies: readonly Remedy[]
}

const same = (a: Pod, b: Pod): boolean =>
  a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace

const planPlace = (plan: Plan, pod: Pod): PodExplanation['place'] => {
  for (const { node, pods } of plan.placements) if (pods.some((each) => same(each, pod))) return { kind: 'node', node }
  for (const { nodePool, pods, cheapest } of plan.claims) {
    if (pods.some((each) => same(each, pod))) {
      const { instanceType, zone, capacityType } = cheapest
      return { kind: 'claim', nodePool, instanceType, zone, capacityType }
    }
  }
  return { kind: 'none' }
}

/**
 * Explains one pod of a batch. Plans the batch like `schedule`, so the result is the same as in the plan. If the pod was not placed, tries
 * every single change that could help. This costs one plan per change, so call it only when a user asks.
 */
export const explainPod = (
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  pod: Pod,
  options: ScheduleOptions,
): PodExplanation => {
  const problem = buildProblem(snapshot, pods, options)
  const { run, left } = pack(problem, inQueueOrder(problem.table, problem.pods))
  const plan = buildPlan(run, left, options.planBudget ?? defaultBudget(pods.length))
  const place = planPlace(plan, pod)
  const entry = problem.pods.find((each) => same(each.pod, pod))
  if (entry === undefined) return { pod, place, plan, reasons: [], funnels: [], remedies: [] }
  const funnels = poolFunnels(run, entry.equivalenceGroup, place.kind !== 'none')
  const reasons = reasonsFor(plan, run, entry, place)
  const siblings = new Set(
    problem.pods.filter(({ equivalenceGroup }) => equivalenceGroup === entry.equivalenceGroup).map((each) => each.pod),
  )
  const remedies = place.kind === 'none' ? snapshotRemedies(snapshot, pods, pod, siblings, options, reasons) : []
  return { pod, place, plan, reasons, funnels, remedies }
}

const reasonsFor = (plan: Plan, run: Run, entry: BatchPod, place: PodExplanation['place']): readonly Reason[] => {
  switch (place.kind) {
    case 'node':
      return [{ code: 'node.has-room', subject: `node/${place.node}`, detail: {} }]
    case 'claim':
      return plan.claims.find(({ pods }) => pods.some((each) => same(each, entry.pod)))?.reasons ?? []
    case 'none':
      return new Reasons(run).of(entry)
  }
}

const snapshotRemedies = (
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  pod: Pod,
  siblings: ReadonlySet<Pod>,
  options: ScheduleOptions,
  reasons: readonly Reason[],
): readonly Remedy[] => {
  // Pods with the same demand usually come from one template. So the change is tried for all of them at once.
  const planWith = (cluster: ClusterSnapshot, change?: (each: Pod) => Pod): Plan => {
    const batch = change === undefined ? pods : pods.map((each) => (siblings.has(each) ? change(each) : each))
    return schedule(cluster, batch, { ...options, planBudget: 0 })
  }
  const isPlaced = (plan: Plan): boolean => planPlace(plan, pod).kind !== 'none'
  const helpsWith = (change: (each: Pod) => Pod, cluster = snapshot): boolean => isPlaced(planWith(cluster, change))
  const helps = (changed: Pod, cluster = snapshot): boolean =>
    helpsWith(({ metadata }) => ({ ...changed, metadata }), cluster)
  const remedies: Remedy[] = []
  for (const { text, without } of podConstraints(pod)) {
    if (helpsWith(without)) remedies.push({ kind: 'drop', text })
  }
  for (const { topologyKey, maxSkew, withSkew } of raisableSkews(pod)) {
    const least = leastSkew(maxSkew, pods.length, (skew) => helpsWith(withSkew(skew)))
    if (least !== undefined) remedies.push({ kind: 'raise-skew', text: remedyTexts.raiseSkew(topologyKey, least) })
  }
  for (const { code, detail } of reasons) {
    if (code === 'taint.not-tolerated') {
      const key = String(detail['taint']).split(/[=:]/)[0] ?? ''
      const tolerations = [...(pod.spec.tolerations ?? []), { key, operator: 'Exists' as const }]
      if (helps({ ...pod, spec: { ...pod.spec, tolerations } })) {
        remedies.push({ kind: 'tolerate', text: remedyTexts.tolerate(String(detail['taint'])) })
      }
    }
    if (code === 'resources.exceeded') {
      const resource = String(detail['resource'])
      const available = String(detail['available'] ?? '')
      // If a pod requests a resource, for example a device, it needs some amount of it, so a request of 0 is not suggested.
      if (available !== '' && available !== '0' && helps(withRequest(pod, resource, available))) {
        remedies.push({ kind: 'lower-request', text: remedyTexts.lowerRequest(resource, available) })
      }
    }
  }
  for (const option of snapshot.pools) {
    const { nodePool } = option
    if (nodePool.spec.limits === undefined) continue
    const withLimits = (limits: ResourceList | undefined): ClusterSnapshot => {
      const { limits: _, ...spec } = nodePool.spec
      const changed = { ...nodePool, spec: { ...spec, ...(limits === undefined ? {} : { limits }) } }
      const pools = snapshot.pools.map((each) => (each === option ? { ...each, nodePool: changed } : each))
      return { ...snapshot, pools }
    }
    const unlimited = planWith(withLimits(undefined))
    if (!isPlaced(unlimited)) continue
    const limits = (['cheapest', 'largest'] as const)
      .map((countedAs) => raisedLimits(snapshot, option, unlimited, countedAs))
      .find((raised) => helps(pod, withLimits(raised)))
    remedies.push({
      kind: 'raise-limit',
      text: remedyTexts.raiseLimit(nodePool.metadata.name),
      ...(limits === undefined ? {} : { raise: { nodePool: nodePool.metadata.name, limits } }),
    })
  }
  remedies.push(...policyRemedies({ pod, snapshot, reasons, plan: planWith, isPlaced }))
  const texts = new Set<string>()
  return remedies
    .toSorted((a, b) => remedyOrder.indexOf(a.kind) - remedyOrder.indexOf(b.kind))
    .filter(({ text }) => !texts.has(text) && texts.add(text))
}

/**
 * Returns the smallest maxSkew above the present one that helps. The search ends `pods` above the present value, because a skew cannot grow
 * by more than the number of pods. Each attempt requires a plan.
 */
const leastSkew = (maxSkew: number, pods: number, helps: (skew: number) => boolean): number | undefined => {
  let low = maxSkew
  let high = maxSkew + 1
  while (!helps(high)) {
    if (high >= maxSkew + pods) return undefined
    low = high
    high = Math.min(2 * high, maxSkew + pods)
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (helps(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * Returns the pod with a new request for a resource. Its first container requests this amount, and the other containers request nothing of
 * it.
 */
const withRequest = (pod: Pod, resource: string, amount: string): Pod => ({
  ...pod,
  spec: {
    ...pod.spec,
    containers: pod.spec.containers.map((container, place) => {
      const requests: ResourceList = { ...container.resources?.requests, [resource]: place === 0 ? amount : 0 }
      return { ...container, resources: { ...container.resources, requests } }
    }),
  },
})
