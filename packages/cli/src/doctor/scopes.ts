import { labels } from '@kerf/apis'
import type { Audit } from './audit.ts'
import { nameOfWorkload } from './workload.ts'

/** The nodes of one NodePool or node group. */
export interface NodeSet {
  readonly name: string
  readonly nodes: number
}

/** A workload and the number of its pods, or of its replicas if it has no pods. */
export interface ScopedWorkload {
  readonly name: string
  readonly pods: number
}

/** The nodes and pods for which each autoscaler is responsible. */
export interface Scopes {
  readonly groups: readonly NodeSet[]
  readonly pools: readonly NodeSet[]
  /** Workloads that node groups could run, but no NodePool. */
  readonly onlyGroups: readonly ScopedWorkload[]
  /** Workloads that both node groups and NodePools could run. */
  readonly both: readonly ScopedWorkload[]
  /** Workloads that NodePools could run, but no node group. */
  readonly onlyPools: readonly ScopedWorkload[]
  /** Workloads that neither node groups nor NodePools could run. */
  readonly neither: readonly ScopedWorkload[]
}

/** Returns the scopes of both autoscalers, with the largest workloads first. The engine decides which nodes a pod could run on. */
export const auditScopes = (audit: Audit): Scopes => {
  const { serving, workloads, nodePools, nodes, clusterAutoscaler } = audit
  const all = workloads.map((workload) => ({
    name: nameOfWorkload(workload),
    pods: workload.pods.length === 0 ? workload.replicas : workload.pods.length,
    inGroup: serving.groupsFor(workload).length > 0,
    inPool: serving.poolsFor(workload).length > 0,
  }))
  const those = (inGroup: boolean, inPool: boolean): readonly ScopedWorkload[] =>
    all
      .filter((each) => each.inGroup === inGroup && each.inPool === inPool)
      .map(({ name, pods }) => ({ name, pods }))
      .sort((a, b) => b.pods - a.pods)
  return {
    groups: (clusterAutoscaler?.groups ?? []).map((group) => ({ name: group.name, nodes: group.nodes.length })),
    pools: nodePools.map(({ metadata }) => ({
      name: metadata.name,
      nodes: nodes.filter((node) => node.metadata.labels?.[labels.nodePool] === metadata.name).length,
    })),
    onlyGroups: those(true, false),
    both: those(true, true),
    onlyPools: those(false, true),
    neither: those(false, false),
  }
}
