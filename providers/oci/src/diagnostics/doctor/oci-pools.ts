import { labels, type NodePool } from '@kerf/apis'
import type { AuditedCluster } from '@kerf/provider-contract'
import { areCompatible } from '@kerf/provider-contract'
import { type Upstream, upstreamOfGroup } from '../../names.ts'

/** Returns the NodePools with a node class of this kind. */
export const poolsOfUpstream = (
  { nodePools }: Pick<AuditedCluster, 'nodePools'>,
  upstream: Upstream,
): readonly NodePool[] =>
  nodePools.filter(({ spec }) => upstreamOfGroup(spec.template.spec.nodeClassRef.group) === upstream)

/** Returns whether the requirements of the NodePool allow the capacity type. */
export const admitsCapacityType = ({ spec }: NodePool, capacityType: string): boolean =>
  areCompatible(spec.template.spec.requirements ?? [], [
    { key: labels.capacityType, operator: 'In', values: [capacityType] },
  ])
