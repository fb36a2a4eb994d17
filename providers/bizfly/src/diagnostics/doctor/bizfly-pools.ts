import type { NodePool } from '@kerf/apis'
import type { AuditedCluster } from '@kerf/provider-contract'
import { BIZFLY_GROUP } from '../../names.ts'

/** Returns the NodePools with a node class of Bizfly Cloud. */
export const bizflyPools = ({ nodePools }: Pick<AuditedCluster, 'nodePools'>): readonly NodePool[] =>
  nodePools.filter(({ spec }) => spec.template.spec.nodeClassRef.group === BIZFLY_GROUP)
