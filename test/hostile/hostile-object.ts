import type { KubeObject, ResourceKind } from '@kerf/apis'

/** An object that the API server accepts, made to make a controller fail. */
export interface HostileObject {
  readonly kind: ResourceKind
  readonly object: KubeObject & Readonly<Record<string, unknown>>
}
