import type { KubeObject, NodePool } from '@kerf/apis'
import type { PlannedBuffers } from '@kerf/controllers'
import type { FeatureGates } from '@kerf/runtime'
import type { Manifest } from '../manifests/manifest.ts'

export const isStaticPool = (object: KubeObject): boolean =>
  object.kind === 'NodePool' && (object as NodePool).spec.replicas !== undefined

/** Returns the feature gate that Kerf needs to use the object. */
const objectGate = (object: KubeObject): { readonly gate: keyof FeatureGates; readonly what: string } | undefined => {
  const what = `${object.kind} ${object.metadata.name}`
  if (object.kind === 'NodeOverlay') return { gate: 'NodeOverlay', what }
  if (object.kind === 'CapacityBuffer') return { gate: 'CapacityBuffer', what }
  return isStaticPool(object) ? { gate: 'StaticCapacity', what: `${what} (a static pool)` } : undefined
}

/**
 * Returns a line that says that the object has no effect because its feature gate is disabled, and how to enable the gate. Returns
 * undefined if the object has an effect.
 */
export const shutGate = (object: KubeObject, gates: FeatureGates): string | undefined => {
  const gated = objectGate(object)
  return gated === undefined || gates[gated.gate]
    ? undefined
    : `${gated.what} has no effect without --feature-gates ${gated.gate}=true`
}

/** Returns notes that say which CapacityBuffers the plan includes, and why it does not include the others. */
export const bufferNotes = ({ counted, failed }: Pick<PlannedBuffers, 'counted' | 'failed'>): readonly string[] => [
  ...(counted.length === 0
    ? []
    : [
        `with the capacity of CapacityBuffer ${counted.join(', ')}; Kerf uses CapacityBuffers only with --feature-gates CapacityBuffer=true`,
      ]),
  ...failed.map((line) => `not counted: ${line}`),
]

/** Returns the note that lists the CapacityBuffers, for commands whose output does not include buffers. */
export const uncountedBuffers = ({
  counted,
  failed,
}: Pick<PlannedBuffers, 'counted' | 'failed'>): readonly string[] => [
  ...(counted.length === 0 ? [] : [`not counted: the capacity of CapacityBuffer ${counted.join(', ')}`]),
  ...failed.map((line) => `not counted: ${line}`),
]

/**
 * Returns the note about NodeOverlays for output that applies them. The cluster's Kerf uses NodeOverlays only if a feature gate is enabled,
 * and the command cannot read its feature gates.
 */
export const overlayNote = (manifests: readonly Manifest[]): string | undefined => {
  const names = manifests.flatMap(({ object }) => (object.kind === 'NodeOverlay' ? [object.metadata.name] : []))
  if (names.length === 0) return undefined
  return `with NodeOverlay ${names.join(', ')} applied; Kerf uses NodeOverlays only with --feature-gates NodeOverlay=true`
}
