import type { NodePool } from '@kerf/apis'
import type { AuditedCluster } from '@kerf/provider-contract'
import { type GCENodeClass, gceNodeClassKind } from '../../node-class/gce-node-class.ts'

/** Returns the NodePools that launch with a GCENodeClass. */
export const gcpPools = ({ nodePools }: Pick<AuditedCluster, 'nodePools'>): readonly NodePool[] =>
  nodePools.filter(({ spec }) => spec.template.spec.nodeClassRef.group === gceNodeClassKind.group)

/** The GCENodeClasses that NodePools refer to. `isComplete` is true if all of them are in `classes`. */
export interface UsedClasses {
  readonly classes: readonly GCENodeClass[]
  readonly isComplete: boolean
}

/** Returns the GCENodeClasses of the NodePools. */
export const usedClasses = (audit: Pick<AuditedCluster, 'nodePools' | 'objects'>): UsedClasses => {
  const names = new Set(gcpPools(audit).map(({ spec }) => spec.template.spec.nodeClassRef.name))
  const classes = audit.objects.of(gceNodeClassKind).filter(({ metadata }) => names.has(metadata.name))
  return { classes, isComplete: classes.length === names.size }
}
