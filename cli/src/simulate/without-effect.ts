import type { KubeObject, NodePool } from '@kerf/apis'
import { allowanceOf } from '@kerf/engine'
import type { FeatureGates } from '@kerf/runtime'
import { shutGate } from '../cluster/gated-objects.ts'
import type { Manifest } from '../manifests/manifest.ts'

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** Why no budget of the pool can be read, if so: then nothing of it is ever disrupted. */
const brokenBudget = (pool: NodePool): string | undefined => allowanceOf(pool, 'Empty', 1, 0).error

/**
 * What the manifests say without effect on the simulation, a line each. The manifests are those that the API server took.
 */
export const withoutEffect = (manifests: readonly Manifest[], gates: FeatureGates): readonly string[] =>
  manifests.flatMap(({ object }) => {
    if (object.kind === 'HorizontalPodAutoscaler')
      return [`${object.kind} ${object.metadata.name} has no effect: nothing has a load here; let the trace scale`]
    const shut = shutGate(object, gates)
    const broken = isNodePool(object) ? brokenBudget(object) : undefined
    return [
      ...(shut === undefined ? [] : [shut]),
      ...(broken === undefined
        ? []
        : [`NodePool ${object.metadata.name}: ${broken}; while that is so nothing of the pool is disrupted`]),
    ]
  })
