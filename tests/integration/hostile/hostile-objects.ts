import fc from 'fast-check'
import {
  hostileBudget,
  hostileBuffer,
  hostileConfigMap,
  hostileCsiNode,
  hostileDeviceClass,
  hostileNamespace,
  hostilePriorityClass,
  hostileRuntimeClass,
  hostileSlice,
  hostileStorageClass,
  hostileVolume,
  hostileVolumeClaim,
} from './hostile-cluster.ts'
import { hostileClaim, hostileNode, hostileNodeClass, hostileOverlay, hostilePool } from './hostile-nodes.ts'
import type { HostileObject } from './hostile-object.ts'
import { hostilePod, hostileWorkload } from './hostile-pods.ts'

const drawn: fc.Arbitrary<HostileObject> = fc.oneof(
  { weight: 10, arbitrary: hostilePod },
  { weight: 4, arbitrary: hostileWorkload },
  { weight: 3, arbitrary: hostilePool },
  { weight: 2, arbitrary: hostileClaim },
  { weight: 2, arbitrary: hostileNode },
  hostileNodeClass,
  hostileOverlay,
  hostileBudget,
  hostileVolume,
  hostileVolumeClaim,
  hostileStorageClass,
  hostileCsiNode,
  hostileRuntimeClass,
  hostilePriorityClass,
  hostileNamespace,
  hostileConfigMap,
  hostileBuffer,
  hostileDeviceClass,
  hostileSlice,
)

/**
 * Returns the object as an API client decodes it from JSON: every map has the prototype of an object literal, and `__proto__` is an
 * ordinary key.
 */
const decoded = ({ kind, object }: HostileObject): HostileObject => ({
  kind,
  object: JSON.parse(JSON.stringify(object)),
})

/**
 * An object of any kind that Kerf reads. The API server accepts it, although no careful author would write it. A third of these objects are
 * pods.
 */
export const hostileObject: fc.Arbitrary<HostileObject> = drawn.map(decoded)
