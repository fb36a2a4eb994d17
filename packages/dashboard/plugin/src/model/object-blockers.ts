import { annotations, matchesLabelSelector, type PodDisruptionBudget } from '@kerf/apis'
import type { Blocker } from '@kerf/engine'
import { isActivePod } from './pending-pods.ts'
import { at, fieldsAt, listAt, numberAt, objectName, textAt } from './read.ts'

interface NodeObjects {
  readonly node: string
  readonly nodes: readonly unknown[]
  readonly claims: readonly unknown[]
  readonly pods: readonly unknown[]
  readonly budgets: readonly unknown[]
}

const isGuarded = (object: unknown): boolean =>
  textAt(object, 'metadata', 'annotations', annotations.doNotDisrupt) === 'true'

const namespaceOf = (object: unknown): string => textAt(object, 'metadata', 'namespace') ?? ''

const isOwnedBy = (pod: unknown, ...owners: readonly string[]): boolean =>
  listAt(pod, 'metadata', 'ownerReferences').some((owner) => owners.includes(textAt(owner, 'kind') ?? ''))

const covers = (budget: unknown, pod: unknown): boolean =>
  namespaceOf(budget) === namespaceOf(pod) &&
  matchesLabelSelector(
    at(budget, 'spec', 'selector') as PodDisruptionBudget['spec']['selector'],
    fieldsAt(pod, 'metadata', 'labels') as Readonly<Record<string, string>>,
  )

const ofPod = (pod: unknown, budgets: readonly unknown[]): readonly Blocker[] => {
  const name = `${namespaceOf(pod)}/${objectName(pod)}`
  if (isGuarded(pod)) return [{ code: 'pod.do-not-disrupt', pod: name }]
  const own = budgets.filter((budget) => covers(budget, pod))
  const [only] = own
  const names = own.map((budget) => `${namespaceOf(budget)}/${objectName(budget)}`)
  if (own.length > 1) return [{ code: 'pdb.several', pod: name, budgets: names }]
  if (only === undefined || (numberAt(only, 'status', 'disruptionsAllowed') ?? 0) > 0) return []
  return [{ code: 'pdb.blocks', pod: name, budget: names[0] ?? '' }]
}

/**
 * Returns what keeps a node, according to the objects alone: annotations of the node and its pods, and
 * PodDisruptionBudgets that allow no eviction now. For clusters whose controller does not report blockers. Does not
 * consider whether consolidation would save money.
 */
export const objectBlockers = ({ node, nodes, claims, pods, budgets }: NodeObjects): readonly Blocker[] => {
  const machines = [
    ...nodes.filter((each) => objectName(each) === node),
    ...claims.filter((each) => textAt(each, 'status', 'nodeName') === node),
  ]
  const onNode = pods.filter(
    (pod) => textAt(pod, 'spec', 'nodeName') === node && isActivePod(pod) && !isOwnedBy(pod, 'DaemonSet', 'Node'),
  )
  return [
    ...(machines.some(isGuarded) ? [{ code: 'node.do-not-disrupt' } as const] : []),
    ...onNode.flatMap((pod) => ofPod(pod, budgets)),
  ]
}
