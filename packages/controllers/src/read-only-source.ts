import type { KubeObject, ResourceKind } from '@kerf/apis'
import { type InformerFactory, type Source, source } from '@kerf/runtime'

/**
 * Returns a source that triggers no reconciliation. It only delays the controller until the objects of this resource kind have been listed.
 */
export const readOnlySource = <T extends KubeObject>(informers: InformerFactory, kind: ResourceKind<T>): Source<T> =>
  source(informers.of(kind), () => [])
