import { type KubeObject, parseQuantity, type ResourceKind } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'

/** The usage of a node in the metrics API (`metrics.k8s.io/v1beta1`). */
interface NodeMetrics extends KubeObject {
  readonly usage?: { readonly cpu?: string; readonly memory?: string }
}

/** Served only if metrics-server or a similar server is installed. */
export const nodeMetricsKind: ResourceKind<NodeMetrics> = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind: 'NodeMetrics',
  plural: 'nodes',
  namespaced: false,
}

const isNodeMetrics = (object: KubeObject): object is NodeMetrics =>
  object.kind === nodeMetricsKind.kind && object.apiVersion.startsWith(`${nodeMetricsKind.group}/`)

/**
 * Returns a function that returns the measured usage of a node: the fraction of its CPU or memory, whichever is larger. The function
 * returns undefined if the node was not measured.
 */
export const measuredShares = (objects: readonly KubeObject[]): ((node: NodeState) => number | undefined) => {
  const usages = new Map(objects.filter(isNodeMetrics).map(({ metadata, usage }) => [metadata.name, usage]))
  return ({ name, nodeName, allocatable }) => {
    const usage = usages.get(nodeName ?? name)
    if (usage === undefined) return undefined
    const shareOf = (amount: string | undefined, free: bigint | undefined): number =>
      amount === undefined || free === undefined || free <= 0n ? 0 : Number(parseQuantity(amount)) / Number(free)
    return Math.max(shareOf(usage.cpu, allocatable['cpu']), shareOf(usage.memory, allocatable['memory']))
  }
}
