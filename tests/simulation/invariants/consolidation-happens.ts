import { isConditionTrue, labels, type Node, type NodePool, type Pod, parseResources } from '@kerf/apis'
import { isOfDaemonSet } from './daemon-pods.ts'
import { coveredByPlans } from './hourly-bill.ts'
import type { MakeInvariant } from './invariant.ts'

const isOver = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '')

/** Reports whether the pod can run on any node that has no taints and enough free capacity. */
const goesAnywhere = ({ metadata, spec, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.phase === 'Running' &&
  metadata.ownerReferences?.some(({ controller }) => controller === true) === true &&
  Object.keys(metadata.annotations ?? {}).every((key) => !key.startsWith('karpenter.sh/')) &&
  spec.affinity === undefined &&
  (spec.nodeSelector === undefined || Object.keys(spec.nodeSelector).length === 0) &&
  (spec.topologySpreadConstraints ?? []).length === 0 &&
  (spec.volumes ?? []).every(({ persistentVolumeClaim }) => persistentVolumeClaim === undefined)

/** Reports whether the NodePool ever allows Kerf to disrupt underutilized nodes. */
const isOpen = ({ spec }: NodePool): boolean =>
  spec.replicas === undefined &&
  spec.disruption?.consolidationPolicy === 'WhenEmptyOrUnderutilized' &&
  spec.disruption.consolidateAfter !== 'Never' &&
  (spec.disruption.budgets ?? []).every(
    ({ nodes, schedule, reasons }) =>
      schedule !== undefined || (nodes !== '0' && nodes !== '0%') || reasons?.includes('Underutilized') === false,
  )

const sumOf = (pods: readonly Pod[], resource: 'cpu' | 'memory'): bigint =>
  pods.reduce(
    (sum, { spec }) =>
      sum +
      spec.containers.reduce((each, { resources }) => each + (parseResources(resources?.requests)[resource] ?? 0n), 0n),
    0n,
  )

/**
 * Kerf consolidates: at the end, no node's pods could all move to one other node. Only considers plain pods, so that Kerf can definitely
 * consolidate every reported node. `drifted-and-empty-nodes-terminate` checks empty nodes. Skips runs with capacity buffers, because a
 * buffer keeps capacity free, and runs with savings plans, because the pods of a covered node stay on it.
 */
export const consolidationHappens: MakeInvariant = (environment) => ({
  name: 'consolidation-happens',
  eventually: () => {
    if (environment.run.objects.some(({ kind }) => kind === 'CapacityBuffer')) return []
    if (coveredByPlans(environment) > 0) return []
    const pools = new Map(environment.nodePools().map((pool) => [pool.metadata.name, pool]))
    const pods = environment.pods().filter((pod) => !isOver(pod))
    const podsOn = (node: Node): readonly Pod[] => pods.filter(({ spec }) => spec.nodeName === node.metadata.name)
    const settled = environment.nodes().filter((node) => {
      const claim = environment.claims().find(({ status }) => status?.providerID === node.spec.providerID)
      return (
        claim !== undefined &&
        claim.metadata.deletionTimestamp === undefined &&
        isConditionTrue(claim, 'Initialized') &&
        node.metadata.deletionTimestamp === undefined &&
        node.spec.unschedulable !== true &&
        (node.spec.taints ?? []).length === 0
      )
    })
    const fits = (node: Node, more: readonly Pod[]): boolean => {
      const all = [...podsOn(node), ...more]
      const allocatable = parseResources(node.status?.allocatable)
      return (
        sumOf(all, 'cpu') <= (allocatable['cpu'] ?? 0n) &&
        sumOf(all, 'memory') <= (allocatable['memory'] ?? 0n) &&
        all.length < Number(node.status?.allocatable?.['pods'] ?? 0)
      )
    }
    return settled.flatMap((node) => {
      const pool = pools.get(node.metadata.labels?.[labels.nodePool] ?? '')
      if (pool === undefined || !isOpen(pool)) return []
      const moving = podsOn(node).filter((pod) => !isOfDaemonSet(pod))
      if (moving.length === 0 || !moving.every(goesAnywhere)) return []
      const other = settled.find((each) => each !== node && fits(each, moving))
      return other === undefined
        ? []
        : [`node ${node.metadata.name} is kept, and all its ${moving.length} pods fit on ${other.metadata.name}`]
    })
  },
})
