import type { KubeObject } from '@kerf/apis'
import type { Clock, Random } from '@kerf/runtime'
import { keyOf, type Revision } from '../store/collection.ts'
import type { ResourceRegistry } from './resource-registry.ts'

/** What all parts of the API share. */
export interface ApiState {
  readonly clock: Clock
  readonly random: Random
  readonly registry: ResourceRegistry
  /** The revision of the newest change. */
  readonly revision: Revision
  /** A new revision, for one change. */
  nextRevision(): Revision
}

/** `metav1.Time`: whole seconds. */
export const timestamp = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`

export const objectKey = (object: KubeObject): string => keyOf(object.metadata.namespace, object.metadata.name ?? '')
