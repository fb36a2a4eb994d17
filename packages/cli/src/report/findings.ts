import { labels, type Pod, type UsdPerHour } from '@kerf/apis'
import {
  type Blocker,
  type ClusterSnapshot,
  indexSnapshot,
  type Plan,
  podConstraints,
  reasonSentence,
  type ScheduleOptions,
  schedule,
  withoutNodes,
} from '@kerf/engine'
import { podName } from '../plan/plan-document.ts'
import { counted } from '../terminal/amounts.ts'
import { findHolders } from './holders.ts'
import { type NodeFacts, podWorkload } from './node-facts.ts'

/** How certain a saving is. */
export type Sureness = 'sure' | 'likely' | 'estimate'

/**
 * One reason why the cluster costs more than necessary. Each finding is computed after the earlier findings are applied, so their savings
 * add up.
 */
export interface Finding {
  readonly kind: 'empty-nodes' | 'underused-nodes' | 'other-nodes' | 'spot' | 'constraint'
  readonly title: string
  /** What to change. */
  readonly remedy: string
  readonly saves: UsdPerHour
  readonly sureness: Sureness
  /** The reason for the certainty of the saving. */
  readonly because: string
  /** Names of the nodes or workloads to which the finding applies. */
  readonly about: readonly string[]
}

export interface Comparison {
  /** The current cost of the compared nodes. */
  readonly now: UsdPerHour
  /** The cost of the same pods on planned nodes. It includes the savings of all findings except those about constraints. */
  readonly planned: UsdPerHour
  /** The plan that has this cost. Absent if removing nodes is enough. */
  readonly plan?: Plan
  /** The nodes that the plan replaces. Empty if there is no plan. */
  readonly replaced: readonly NodeFacts[]
  readonly findings: readonly Finding[]
  /** Pods that fit on no planned node. Their nodes are not replaced. */
  readonly kept: readonly { readonly pod: string; readonly node: string; readonly why: string }[]
  /** The number of constraints whose effect on the cost was not computed, because that would take too long. */
  readonly unpricedConstraints: number
}

/**
 * The limit for computing what constraints cost: the number of pods multiplied by the number of plans. This much work takes about half a
 * minute.
 */
const MOST_WORK = 100_000
const MOST_CONSTRAINTS = 25
const ROUNDS = 5
const LITTLE = 1e-6

const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec } = pod.spec
  return {
    ...pod,
    spec,
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  }
}

const sum = (nodes: readonly NodeFacts[]): UsdPerHour => nodes.reduce((total, { price }) => total + (price ?? 0), 0)

const nodeNames = (nodes: readonly NodeFacts[]): readonly string[] => nodes.map(({ state }) => state.name).sort()

/**
 * Returns the nodes whose pods all fit on other existing nodes. The nodes are removed one after another, the least used node first. Among
 * equally used nodes, the most expensive one is removed first.
 */
const superfluous = (
  snapshot: ClusterSnapshot,
  nodes: readonly NodeFacts[],
  options: ScheduleOptions,
): readonly NodeFacts[] => {
  const movable = nodes.map((node) => node.movable)
  const indexed = indexSnapshot({ ...snapshot, pools: [] }, [], movable, options)
  const gone: NodeFacts[] = []
  const order = nodes.toSorted(
    (a, b) => a.used - b.used || (b.price ?? 0) - (a.price ?? 0) || (a.state.name < b.state.name ? -1 : 1),
  )
  for (const node of order) {
    // Pods of full nodes rarely fit elsewhere, and the check is most expensive for them.
    if (node.used > 0.9) continue
    const names = [...gone, node].map(({ state }) => state.name)
    if (indexed.whatIf(names).unschedulable.length === 0) gone.push(node)
  }
  return gone
}

/** Groups the nodes by the reason why they cannot be removed, and returns a finding for each group. */
const byHolder = (
  kind: 'empty-nodes' | 'underused-nodes',
  nodes: readonly NodeFacts[],
  holderOf: ReturnType<typeof findHolders>,
): readonly Finding[] => {
  const groups = Map.groupBy(nodes, (node) => holderOf(node)?.what ?? '')
  const what = kind === 'empty-nodes' ? 'without workload pods' : 'whose pods fit on other nodes'
  return [...groups]
    .map(([keeps, members]): Finding => {
      const [sample] = members
      const holder = sample === undefined ? undefined : holderOf(sample)
      const example = holder?.pod === undefined ? '' : ` such as ${holder.pod}`
      return {
        kind,
        title: `${counted(members.length, 'node')} ${what}${keeps === '' ? '' : `, blocked by ${keeps}${example}`}`,
        remedy: holder?.remedy ?? 'no action required: consolidation removes them in due time',
        saves: sum(members),
        sureness: kind === 'empty-nodes' ? 'sure' : 'likely',
        because:
          kind === 'empty-nodes'
            ? 'only DaemonSets and static pods run there'
            : 'by requests of pods; kube-scheduler may place pods differently',
        about: nodeNames(members),
      }
    })
    .sort((a, b) => b.saves - a.saves)
}

const CAPACITY_TYPE = labels.capacityType

/** Returns the pods of a node as pending pods. If the node is on-demand or reserved, its pods must keep that capacity type. */
const boughtAsToday = ({ state, movable }: NodeFacts): readonly Pod[] => {
  const bought = state.labels[CAPACITY_TYPE]
  return movable.map((pod) => {
    const free = unbound(pod)
    if (bought === undefined || bought === 'spot') return free
    return { ...free, spec: { ...free.spec, nodeSelector: { ...free.spec.nodeSelector, [CAPACITY_TYPE]: bought } } }
  })
}

/** Settings of the plans. */
export interface CompareSettings {
  readonly options: ScheduleOptions
  /** Whether the new plan may choose a different capacity type than a pod has today, if the NodePool allows it. */
  readonly mayBuyOtherwise: boolean
}

/** Compares the cluster with a new plan for the same pods. The findings are in the order in which they are computed. */
class Comparer {
  readonly #snapshot: ClusterSnapshot
  readonly #options: ScheduleOptions
  readonly #mayBuyOtherwise: boolean
  readonly #show: (line: string) => void

  constructor(snapshot: ClusterSnapshot, settings: CompareSettings, show: (line: string) => void) {
    this.#snapshot = snapshot
    this.#options = settings.options
    this.#mayBuyOtherwise = settings.mayBuyOtherwise
    this.#show = show
  }

  compare(nodes: readonly NodeFacts[], blockers: ReadonlyMap<string, Blocker>): Comparison {
    const holderOf = findHolders(blockers)
    const empty = nodes.filter(({ movable }) => movable.length === 0)
    const busy = nodes.filter(({ movable }) => movable.length > 0)
    this.#show(`looking for nodes that can be removed, among ${counted(busy.length, 'node')}`)
    const gone = superfluous(this.#without(empty), busy, this.#options)
    const findings = [...byHolder('empty-nodes', empty, holderOf), ...byHolder('underused-nodes', gone, holderOf)]
    const after = sum(nodes) - sum(empty) - sum(gone)
    this.#show(`planning ${counted(busy.flatMap(({ movable }) => movable).length, 'pod')} anew`)
    const { replaced, kept, likeToday, free } = this.#planAnew(busy, empty)
    // Nodes with pods that fit nowhere in the plan stay, so their cost is part of both totals.
    const stay = sum(busy) - sum(replaced)
    const [sameBuying, best] = [stay + likeToday.hourlyCost, stay + free.hourlyCost]
    let cost = after
    if (sameBuying < cost - LITTLE) {
      const left = replaced.filter((node) => !gone.includes(node))
      findings.push({
        kind: 'other-nodes',
        title: `${counted(left.length, 'node')} replaced by ${counted(likeToday.claims.length, 'node')} of other types and sizes`,
        remedy: 'let Karpenter or Kerf choose the types: use NodePools that allow many types, and consolidation',
        saves: cost - sameBuying,
        sureness: 'likely',
        because: 'a plan for the same pods with the same capacity types; every pod moves once',
        about: nodeNames(left),
      })
      cost = sameBuying
    }
    if (best < cost - LITTLE) {
      findings.push({
        kind: 'spot',
        title: 'Spot instances for pods that run on demand today, where the NodePools allow it',
        remedy: 'let consolidation replace their nodes, or keep them on demand with a nodeSelector',
        saves: cost - best,
        sureness: 'estimate',
        because: 'spot prices change, and spot instances can be interrupted or unavailable',
        about: nodeNames(replaced),
      })
      cost = best
    }
    const planned = cost
    const plan = best <= sameBuying ? free : likeToday
    const anew = this.#without([...empty, ...replaced])
    const isOfPlan = Math.abs(cost - stay - plan.hourlyCost) < LITTLE
    const constraints = isOfPlan
      ? this.#constraints(replaced, anew, plan, plan === likeToday)
      : { findings: [], unpriced: 0 }
    return {
      now: sum(nodes),
      planned,
      ...(isOfPlan ? { plan } : {}),
      replaced: isOfPlan ? replaced : [],
      findings: [...findings, ...constraints.findings],
      kept,
      unpricedConstraints: constraints.unpriced,
    }
  }

  #without(nodes: readonly NodeFacts[]): ClusterSnapshot {
    const names = new Set(nodes.map(({ state }) => state.name))
    return withoutNodes(this.#snapshot, ({ name }) => names.has(name))
  }

  /** Plans all pods on new nodes. If a pod fits nowhere, its node is kept with all its pods. */
  #planAnew(
    busy: readonly NodeFacts[],
    empty: readonly NodeFacts[],
  ): {
    readonly replaced: readonly NodeFacts[]
    readonly kept: Comparison['kept']
    readonly likeToday: Plan
    readonly free: Plan
  } {
    let replaced = busy
    const kept: { pod: string; node: string; why: string }[] = []
    for (let round = 0; ; round++) {
      const snapshot = this.#without([...empty, ...replaced])
      const pods = replaced.flatMap(({ movable }) => movable).map(unbound)
      const nodeOf = new Map(replaced.flatMap(({ state, movable }) => movable.map((pod) => [podName(pod), state.name])))
      const likeToday = schedule(snapshot, replaced.flatMap(boughtAsToday), this.#options)
      // If the cluster has no NodePool and one is assumed, nothing shows that the pods tolerate interruptions, so they keep their
      // capacity types.
      const free = this.#mayBuyOtherwise ? schedule(snapshot, pods, this.#options) : likeToday
      const left = [...likeToday.unschedulable, ...free.unschedulable]
      const stuck = new Set(left.flatMap(({ pod }) => nodeOf.get(podName(pod)) ?? []))
      if (stuck.size === 0) return { replaced, kept, likeToday, free }
      const named = new Set(kept.map(({ pod }) => pod))
      for (const { pod, reasons } of left) {
        const name = podName(pod)
        if (named.has(name)) continue
        named.add(name)
        kept.push({ pod: name, node: nodeOf.get(name) ?? '', why: reasons.map(reasonSentence).join('; ') })
      }
      // If some pods still fit nowhere in the last attempt, no node is replaced.
      replaced = round < ROUNDS ? replaced.filter(({ state }) => !stuck.has(state.name)) : []
    }
  }

  /** Computes what each constraint of a workload costs, by planning without this one constraint. Starts with the largest workloads. */
  #constraints(
    replaced: readonly NodeFacts[],
    snapshot: ClusterSnapshot,
    plan: Plan,
    isLikeToday: boolean,
  ): { readonly findings: readonly Finding[]; readonly unpriced: number } {
    const running = replaced.flatMap(({ movable }) => movable)
    let pods: readonly Pod[] = isLikeToday ? replaced.flatMap(boughtAsToday) : running.map(unbound)
    const members = Map.groupBy(running, podWorkload)
    const candidates = [...members]
      .toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
      .flatMap(([workload, [sample]]) =>
        sample === undefined ? [] : podConstraints(sample).map((constraint) => ({ workload, constraint })),
      )
    const most = Math.min(MOST_CONSTRAINTS, Math.floor(MOST_WORK / Math.max(1, pods.length)))
    const findings: Finding[] = []
    let cost = plan.hourlyCost
    for (const [index, { workload, constraint }] of candidates.slice(0, most).entries()) {
      this.#show(`pricing constraint ${index + 1} of ${Math.min(most, candidates.length)}`)
      const changed = pods.map((pod) => (podWorkload(pod) === workload ? constraint.without(pod) : pod))
      const without = schedule(snapshot, changed, this.#options)
      if (without.unschedulable.length > 0 || without.unpricedClaims !== plan.unpricedClaims) continue
      if (without.hourlyCost >= cost - LITTLE) continue
      findings.push({
        kind: 'constraint',
        title: `${workload}: ${constraint.text}`,
        remedy: 'only if the workload does not need it',
        saves: cost - without.hourlyCost,
        sureness: 'likely',
        because: 'the plan without it, after removing those above',
        about: [workload],
      })
      cost = without.hourlyCost
      pods = changed
    }
    return { findings, unpriced: Math.max(0, candidates.length - most) }
  }
}

/**
 * Compares the cost of a cluster with the cost of a new plan for the same pods, and returns findings that explain the difference. Each
 * finding is computed after the earlier ones are applied, so the savings add up. The order is: nodes without pods, nodes whose pods fit
 * elsewhere, other instance types, other capacity types, and each constraint.
 */
export const compareWithPlan = (
  snapshot: ClusterSnapshot,
  nodes: readonly NodeFacts[],
  blockers: ReadonlyMap<string, Blocker>,
  settings: CompareSettings,
  show: (line: string) => void = () => undefined,
): Comparison => new Comparer(snapshot, settings, show).compare(nodes, blockers)
