import type { KubeObject, NodePool } from '@kerf/apis'
import { budgetAllowance } from '@kerf/engine'
import type { FeatureGates } from '@kerf/runtime'
import { shutGate } from '../cluster/gated-objects.ts'
import type { Manifest } from '../manifests/manifest.ts'

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** Returns the error if the pool's disruption budgets cannot be parsed. In that case, no node of the pool is ever disrupted. */
const brokenBudget = (pool: NodePool): string | undefined => budgetAllowance(pool, 'Empty', 1, 0).error

/**
 * Returns one line for each part of the manifests that has no effect on the simulation. The API server must already have accepted the
 * manifests.
 */
export const withoutEffect = (manifests: readonly Manifest[], gates: FeatureGates): readonly string[] =>
  manifests.flatMap(({ object }) => {
    if (object.kind === 'HorizontalPodAutoscaler')
      return [
        `${object.kind} ${object.metadata.name} has no effect: pods have no load in the simulation; use scaling events in the trace`,
      ]
    const shut = shutGate(object, gates)
    const broken = isNodePool(object) ? brokenBudget(object) : undefined
    return [
      ...(shut === undefined ? [] : [shut]),
      ...(broken === undefined
        ? []
        : [`NodePool ${object.metadata.name}: ${broken}; no node of this NodePool is disrupted until it is corrected`]),
    ]
  })
