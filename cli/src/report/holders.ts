import {
  annotations,
  type KubeObject,
  matchesLabelSelector,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
} from '@kerf/apis'
import { podName } from '../plan/plan-document.ts'
import type { NodeFacts } from './node-facts.ts'

const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict'

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default'

/** What keeps a node. */
export interface Holder {
  /** The same for all nodes that one change would free. */
  readonly what: string
  readonly remedy: string
  /** The pod that it is about, where it is about one. */
  readonly pod?: string
}

/** Says what keeps a node from being taken away by an autoscaler, in the words of whoever would have to change it. */
export const holdersOf = (objects: readonly KubeObject[]): ((node: NodeFacts) => Holder | undefined) => {
  const pools = new Map(
    objects.filter(({ kind }) => kind === 'NodePool').map((each) => [each.metadata.name, each as NodePool]),
  )
  const shut = objects
    .filter((each): each is PodDisruptionBudget => each.kind === 'PodDisruptionBudget')
    .filter(({ status }) => status?.disruptionsAllowed === 0)
  const budgetOf = (pod: Pod): PodDisruptionBudget | undefined =>
    shut.find(
      (budget) =>
        namespaceOf(budget) === namespaceOf(pod) && matchesLabelSelector(budget.spec?.selector, pod.metadata.labels),
    )
  const protectedNodes = new Set(
    objects
      .filter(({ kind, metadata }) => kind === 'Node' && metadata.annotations?.[annotations.doNotDisrupt] === 'true')
      .map(({ metadata }) => metadata.name),
  )
  return ({ state, movable, keeper, group }) => {
    if (protectedNodes.has(state.nodeName ?? state.name))
      return { what: `annotation ${annotations.doNotDisrupt} of the nodes`, remedy: 'take the annotation away' }
    const held = movable.find(({ metadata }) => (metadata.annotations?.[annotations.doNotDisrupt] ?? '') !== '')
    if (held !== undefined)
      return {
        what: `annotation ${annotations.doNotDisrupt} of pods`,
        pod: podName(held),
        remedy: 'take the annotation away, or give it a duration',
      }
    const unsafe = movable.find(({ metadata }) => metadata.annotations?.[SAFE_TO_EVICT] === 'false')
    if (keeper !== 'karpenter' && unsafe !== undefined)
      return {
        what: `annotation ${SAFE_TO_EVICT}=false of pods`,
        pod: podName(unsafe),
        remedy: 'take the annotation away',
      }
    for (const pod of movable) {
      const budget = budgetOf(pod)
      if (budget === undefined) continue
      const name = `${namespaceOf(budget)}/${budget.metadata.name}`
      return {
        what: `PodDisruptionBudget ${name}, which allows no disruption`,
        remedy: 'more replicas, or a budget that lets one pod go',
      }
    }
    if (keeper === 'by hand')
      return {
        what: 'nothing takes nodes away here: no autoscaler owns it',
        remedy: 'remove it, or let an autoscaler own it',
      }
    if (keeper === 'node group')
      return {
        what: `node group ${group}, from which Cluster Autoscaler takes nodes only below its threshold`,
        remedy: 'scale the group down, or consolidate with Karpenter or Kerf',
      }
    const disruption = pools.get(state.nodePool ?? '')?.spec.disruption
    if (disruption?.consolidateAfter === 'Never')
      return { what: `consolidateAfter: Never of NodePool ${group}`, remedy: 'a duration, such as 5m' }
    if (disruption?.consolidationPolicy === 'WhenEmpty' && movable.length > 0)
      return { what: `consolidationPolicy: WhenEmpty of NodePool ${group}`, remedy: 'WhenEmptyOrUnderutilized' }
    if (
      disruption?.budgets?.some(({ nodes, schedule }) => schedule === undefined && /^0%?$/.test(nodes ?? '')) === true
    )
      return { what: `a budget of 0 nodes of NodePool ${group}`, remedy: 'a budget that lets a node go' }
    return undefined
  }
}
