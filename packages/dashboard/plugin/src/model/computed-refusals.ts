import type { LabelVocabulary } from '@kerf/apis'
import { schedule } from '@kerf/engine'
import type { BrowserCluster, ClusterObjects } from './cluster-snapshot.ts'
import { isPending } from './pending-pods.ts'
import { textAt } from './read.ts'
import { type Refusal, toRefusal } from './reported.ts'

/** Maximum number of pending pods for a computation in the browser. The reasons of further pods are not computed. */
const MOST_PODS = 2_000

/**
 * Returns why the engine would launch no node for pending pods, by uid. For clusters whose controller reports only messages. Omits pods
 * that the engine would place.
 */
export const computedRefusals = (
  { snapshot, pending }: Pick<BrowserCluster, 'snapshot' | 'pending'>,
  vocabulary: LabelVocabulary,
): ReadonlyMap<string, readonly Refusal[]> => {
  if (snapshot.pools.length === 0) return new Map()
  const { unschedulable } = schedule(snapshot, pending.slice(0, MOST_PODS), { vocabulary, planBudget: 0 })
  return new Map(unschedulable.map(({ pod, reasons }) => [pod.metadata.uid ?? '', reasons.map(toRefusal)]))
}

/**
 * Returns a text that changes when refusals are likely to change: with the pending pods, the specs of NodePools, and the number of nodes.
 * Other changes, for example the status of running pods, seldom change a refusal.
 */
export const refusalKey = ({ pods, pools, nodes }: Pick<ClusterObjects, 'pods' | 'pools' | 'nodes'>): string =>
  [
    ...pods.filter(isPending).map((pod) => textAt(pod, 'metadata', 'uid')),
    ...pools.map((pool) => `${textAt(pool, 'metadata', 'uid')}/${textAt(pool, 'metadata', 'generation')}`),
    nodes.length,
  ].join()

const LONGEST = 100

/**
 * Returns the first reason of a long message, for lines that have no other text. Karpenter's messages join the reasons of
 * all NodePools, and kube-scheduler's messages end with the result of preemption.
 */
export const shortMessage = (message: string): string => {
  const [first = ''] = message
    .replace(/^Failed to schedule pod, /, '')
    .replace(/,? ?daemonset overhead=\{[^}]*\},?/g, ',')
    .split(/;|\n|\. (?=preemption:)/)
  const text = first.trim().replace(/\.$/, '')
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).trimEnd()}…`
}
