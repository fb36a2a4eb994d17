import type { Clock, RandomByKind } from '@kerf/runtime'
import type { Revision } from '../store/collection.ts'
import type { ResourceRegistry } from './resource-registry.ts'

/** The state that all components of the sandbox API share. */
export interface ApiState {
  readonly clock: Clock
  /** The source of the UIDs and generated names of each resource kind. */
  readonly randomByKind: RandomByKind
  readonly registry: ResourceRegistry
  /** The revision of the newest change. */
  readonly revision: Revision
  /** Returns a new revision for one change. */
  nextRevision(): Revision
}
