import { formatLabelSelector, matchesRequirements, type Pod, selectorRequirements } from '@kerf/apis'
import type { Plan } from '../plan.ts'
import { podNamespace } from '../pods/pod-name.ts'
import type { Reason } from '../reasons/reason.ts'
import { type Remedy, remedyTexts } from '../reasons/remedy.ts'
import type { ClusterSnapshot, PoolAccess } from '../snapshot.ts'
import { ceilingField, ceilingText, raisedCeilings } from './raised-ceilings.ts'

/** A pod that was not placed, and a way to try changes. */
export interface RefusedPod {
  readonly pod: Pod
  readonly snapshot: ClusterSnapshot
  readonly reasons: readonly Reason[]
  /** Plans the batch in a changed cluster, after a change of the pod and of the pods with the same demand. */
  readonly plan: (cluster: ClusterSnapshot, change?: (pod: Pod) => Pod) => Plan
  readonly isPlaced: (plan: Plan) => boolean
}

/** Returns the subjects of the reasons with a code that are NodePools. */
const refusingPools = (reasons: readonly Reason[], code: Reason['code']): readonly string[] =>
  reasons.flatMap((reason) =>
    reason.code === code && reason.subject.startsWith('nodepool/') ? [reason.subject.slice('nodepool/'.length)] : [],
  )

/** Returns the cluster with other ceilings. Ceilings that are undefined do not exist. */
const withCeilings = (snapshot: ClusterSnapshot, changes: ReadonlyMap<string, bigint | undefined>): ClusterSnapshot => {
  const { ceilings } = snapshot
  if (ceilings === undefined) return snapshot
  const { most, free } = ceilings
  const kept = [...most].filter(([name]) => !changes.has(name) || changes.get(name) !== undefined)
  const changed = kept.map(([name, amount]) => [name, changes.get(name) ?? amount] as const)
  const left = changed.map(
    ([name, amount]) => [name, (free.get(name) ?? 0n) + amount - (most.get(name) ?? 0n)] as const,
  )
  return { ...snapshot, ceilings: { ...ceilings, most: new Map(changed), free: new Map(left) } }
}

const raiseText = (raised: ReadonlyMap<string, bigint>): string => {
  const [[name, amount] = ['', 0n] as const] = raised
  if (raised.size === 1) return remedyTexts.raiseCeiling(ceilingField(name), ceilingText(name, amount))
  return remedyTexts.raiseCeilings(
    Array.from(raised, ([each, most]) => `${ceilingField(each)}: ${ceilingText(each, most)}`).join(', '),
  )
}

/**
 * Returns the ceilings to raise, with amounts that suffice for all pods of the batch. If no single ceiling is enough, all of them are
 * raised together, because they are in one object. If no amount is enough, as for nodes without a price, the ceiling must be removed.
 */
const ceilingRemedies = ({ snapshot, reasons, plan, isPlaced }: RefusedPod): readonly Remedy[] => {
  const { ceilings } = snapshot
  if (ceilings === undefined || !reasons.some(({ code }) => code === 'ceiling')) return []
  const without = (names: readonly string[]): Plan =>
    plan(withCeilings(snapshot, new Map(names.map((name) => [name, undefined]))))
  const names = [...ceilings.most.keys()]
  const single = names.filter((name) => isPlaced(without([name])))
  const groups = single.length > 0 ? single.map((name) => [name]) : names.length > 1 ? [names] : []
  return groups.flatMap((group): readonly Remedy[] => {
    const unlimited = without(group)
    if (!isPlaced(unlimited)) return []
    const raised = (['cheapest', 'largest'] as const)
      .map((countedAs) => raisedCeilings(group, ceilings, snapshot, unlimited, countedAs))
      .find((amounts) => isPlaced(plan(withCeilings(snapshot, amounts))))
    const text =
      raised === undefined ? remedyTexts.removeCeiling(group.map(ceilingField).join(', ')) : raiseText(raised)
    return [{ kind: 'raise-ceiling', text }]
  })
}

/** Returns the NodePools to wake. */
const wakeRemedies = ({ snapshot, reasons, plan, isPlaced }: RefusedPod): readonly Remedy[] =>
  refusingPools(reasons, 'nodepool.asleep').flatMap((name): readonly Remedy[] => {
    const until = snapshot.pools.find(({ nodePool }) => nodePool.metadata.name === name)?.sleepsUntil ?? ''
    const pools = snapshot.pools.map((option) => {
      const { sleepsUntil: _, ...awake } = option
      return option.nodePool.metadata.name === name ? awake : option
    })
    return isPlaced(plan({ ...snapshot, pools })) ? [{ kind: 'wake', text: remedyTexts.wake(name, until) }] : []
  })

/** Returns the cluster with another access rule of a NodePool. */
const withAccess = (snapshot: ClusterSnapshot, name: string, rule: PoolAccess): ClusterSnapshot => ({
  ...snapshot,
  access: new Map([...(snapshot.access ?? []), [name, rule]]),
})

/** Returns the changes with which a NodePool becomes open to the pod: labels of its namespace, or its scheduler. */
const accessRemedies = ({ pod, snapshot, reasons, plan, isPlaced }: RefusedPod): readonly Remedy[] => {
  const namespace = podNamespace(pod)
  const labels = snapshot.namespaces.find(({ metadata }) => metadata.name === namespace)?.metadata.labels ?? {}
  const byNamespace = refusingPools(reasons, 'access.namespace').flatMap((name): readonly string[] => {
    const { namespaceSelector, ...rest } = snapshot.access?.get(name) ?? {}
    if (namespaceSelector === undefined || !isPlaced(plan(withAccess(snapshot, name, rest)))) return []
    const missing = selectorRequirements(namespaceSelector).filter((each) => !matchesRequirements([each], labels))
    return [remedyTexts.labelNamespace(namespace, formatLabelSelector(missing), name)]
  })
  const byScheduler = refusingPools(reasons, 'access.scheduler').flatMap((name): readonly string[] => {
    const [schedulerName] = snapshot.access?.get(name)?.schedulerNames ?? []
    if (schedulerName === undefined) return []
    const changed = plan(snapshot, (each) => ({ ...each, spec: { ...each.spec, schedulerName } }))
    return isPlaced(changed) ? [remedyTexts.setScheduler(schedulerName, name)] : []
  })
  return [...byNamespace, ...byScheduler].map((text) => ({ kind: 'open-access', text }))
}

/**
 * Returns the changes of policies that would let the plan place a refused pod. Each has been tried: if it is the only change, the plan places
 * the pod.
 */
export const policyRemedies = (refused: RefusedPod): readonly Remedy[] => [
  ...ceilingRemedies(refused),
  ...wakeRemedies(refused),
  ...accessRemedies(refused),
]
