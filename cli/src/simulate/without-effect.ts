import type { KubeObject, NodePool } from '@kerf/apis'
import { allowanceOf } from '@kerf/engine'
import type { FeatureGates } from '@kerf/runtime'
import type { Manifest } from '../manifests/read-manifests.ts'

type Gate = keyof FeatureGates

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** The gate without which Kerf does not look at the object. */
const gateOf = (object: KubeObject): { readonly gate: Gate; readonly what: string } | undefined => {
  const what = `${object.kind} ${object.metadata.name ?? ''}`
  if (object.kind === 'NodeOverlay') return { gate: 'NodeOverlay', what }
  if (object.kind === 'CapacityBuffer') return { gate: 'CapacityBuffer', what }
  if (isNodePool(object) && object.spec.replicas !== undefined)
    return { gate: 'StaticCapacity', what: `${what} (a static pool)` }
  return undefined
}

/** Why no budget of the pool can be read, if so: then nothing of it is ever disrupted. */
const brokenBudget = (pool: NodePool): string | undefined => allowanceOf(pool, 'Empty', 1, 0).error

/**
 * What the manifests say without effect on the simulation, a line each. The manifests are those that the API server took.
 */
export const withoutEffect = (manifests: readonly Manifest[], gates: FeatureGates): readonly string[] =>
  manifests.flatMap(({ object }) => {
    if (object.kind === 'HorizontalPodAutoscaler')
      return [
        `${object.kind} ${object.metadata.name ?? ''} has no effect: nothing has a load here; let the trace scale`,
      ]
    const gated = gateOf(object)
    const broken = isNodePool(object) ? brokenBudget(object) : undefined
    return [
      ...(gated === undefined || gates[gated.gate]
        ? []
        : [`${gated.what} has no effect without --feature-gates ${gated.gate}=true`]),
      ...(broken === undefined
        ? []
        : [`NodePool ${object.metadata.name ?? ''}: ${broken}; while that is so nothing of the pool is disrupted`]),
    ]
  })
