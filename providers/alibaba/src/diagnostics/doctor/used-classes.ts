import type { AuditedCluster } from '@kerf/provider-contract'
import { type ECSNodeClass, ecsNodeClassKind } from '../../node-class/ecs-node-class.ts'

/** The ECSNodeClasses that NodePools refer to. `isComplete` is true if all of them are in `classes`. */
export interface UsedClasses {
  readonly classes: readonly ECSNodeClass[]
  readonly isComplete: boolean
}

/** Returns the ECSNodeClasses of the NodePools. Excludes classes with the same name in another API group. */
export const usedClasses = ({ nodePools, objects }: Pick<AuditedCluster, 'nodePools' | 'objects'>): UsedClasses => {
  const refs = nodePools.map(({ spec }) => spec.template.spec.nodeClassRef)
  const names = new Set(refs.filter(({ group }) => group === ecsNodeClassKind.group).map(({ name }) => name))
  const classes = objects.of(ecsNodeClassKind).filter(({ metadata }) => names.has(metadata.name))
  return { classes, isComplete: classes.length === names.size }
}
