import type { KubeObject, NodePool } from '@kerf/apis'
import type { PlannedBuffers } from '@kerf/controllers'
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

/** The notes on CapacityBuffers: those that an answer counts, and why it does not count the others. */
export const bufferNotes = ({ counted, failed }: Pick<PlannedBuffers, 'counted' | 'failed'>): readonly string[] => [
  ...(counted.length === 0
    ? []
    : [
        `with the room that CapacityBuffer ${counted.join(', ')} keeps; Kerf uses CapacityBuffers only with --feature-gates CapacityBuffer=true`,
      ]),
  ...failed.map((line) => `not counted: ${line}`),
]

/** The note on an answer that leaves CapacityBuffers out. */
export const uncountedBuffers = ({
  counted,
  failed,
}: Pick<PlannedBuffers, 'counted' | 'failed'>): readonly string[] => [
  ...(counted.length === 0 ? [] : [`not counted: the room that CapacityBuffer ${counted.join(', ')} keeps`]),
  ...failed.map((line) => `not counted: ${line}`),
]

/** The note on an answer that depends on a cluster's NodeOverlays: the feature gates of its Kerf are not visible from outside. */
export const overlayNote = (manifests: readonly Manifest[]): string | undefined => {
  const names = manifests.flatMap(({ object }) => (object.kind === 'NodeOverlay' ? [object.metadata.name] : []))
  if (names.length === 0) return undefined
  return `as NodeOverlay ${names.join(', ')} would have it; Kerf uses NodeOverlays only with --feature-gates NodeOverlay=true`
}
