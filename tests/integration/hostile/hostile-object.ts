import type { KubeObject, ResourceKind } from '@kerf/apis'

/** A valid object that is designed to make a controller fail. */
export interface HostileObject {
  readonly kind: ResourceKind
  readonly object: KubeObject & Readonly<Record<string, unknown>>
}
