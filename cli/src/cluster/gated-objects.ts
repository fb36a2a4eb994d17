import type { KubeObject, NodePool } from '@kerf/apis'
import type { FeatureGates } from '@kerf/runtime'
import type { Manifest } from '../manifests/manifest.ts'

export const isStaticPool = (object: KubeObject): boolean =>
  object.kind === 'NodePool' && (object as NodePool).spec.replicas !== undefined

/** The feature gate without which Kerf ignores the object. */
const gateOf = (object: KubeObject): { readonly gate: keyof FeatureGates; readonly what: string } | undefined => {
  const what = `${object.kind} ${object.metadata.name}`
  if (object.kind === 'NodeOverlay') return { gate: 'NodeOverlay', what }
  if (object.kind === 'CapacityBuffer') return { gate: 'CapacityBuffer', what }
  return isStaticPool(object) ? { gate: 'StaticCapacity', what: `${what} (a static pool)` } : undefined
}

/** What to do for an object that the gates leave without effect, as a line. */
export const shutGate = (object: KubeObject, gates: FeatureGates): string | undefined => {
  const gated = gateOf(object)
  return gated === undefined || gates[gated.gate]
    ? undefined
    : `${gated.what} has no effect without --feature-gates ${gated.gate}=true`
}

/** The note on an answer that depends on a cluster's NodeOverlays: the feature gates of its Kerf are not visible from outside. */
export const overlayNote = (manifests: readonly Manifest[]): string | undefined => {
  const names = manifests.flatMap(({ object }) => (object.kind === 'NodeOverlay' ? [object.metadata.name] : []))
  if (names.length === 0) return undefined
  return `as NodeOverlay ${names.join(', ')} would have it; Kerf uses NodeOverlays only with --feature-gates NodeOverlay=true`
}
