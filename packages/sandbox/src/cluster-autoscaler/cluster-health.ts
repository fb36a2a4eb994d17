import { type Milliseconds, type Node, parseTime } from '@kerf/apis'
import type { AutoscalerOptions } from './options.ts'

const NOT_MINE = 'k8s.io/cluster-autoscaler-enabled'
/** A node that is not ready counts as unready only if it is older than this. */
const STARTUP: Milliseconds = 15 * 60_000
const NOT_READY = 'node.kubernetes.io/not-ready'

/** Returns whether a node counts as ready. A node with the not-ready taint is not ready, whatever its Ready condition says. */
export const isReadyNode = ({ spec, status }: Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true &&
  spec?.taints?.some(({ key }) => key === NOT_READY) !== true

export interface ClusterHealth {
  readonly ready: number
  readonly unready: number
  readonly isHealthy: boolean
}

/**
 * Returns how many nodes are ready and how many are unready, and whether the cluster is healthy enough for Cluster Autoscaler to
 * act. Ignores nodes for which `leaving` returns true, because Cluster Autoscaler is removing them.
 */
export const clusterHealth = (
  nodes: readonly Node[],
  leaving: (name: string) => boolean,
  { okUnready, maxUnready }: AutoscalerOptions,
  now: Milliseconds,
): ClusterHealth => {
  const counted = nodes.filter(
    ({ metadata }) => metadata.annotations?.[NOT_MINE] !== 'false' && !leaving(metadata.name),
  )
  const ready = counted.filter(isReadyNode).length
  const unready = counted.filter(
    (node) => !isReadyNode(node) && now - (parseTime(node.metadata.creationTimestamp) ?? now) > STARTUP,
  ).length
  return { ready, unready, isHealthy: unready <= okUnready || unready * 100 <= maxUnready * counted.length }
}
