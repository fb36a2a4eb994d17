import type { KubeObject, ResourceKind } from '@kerf/apis'
import { type InformerFactory, type Source, source } from '@kerf/runtime'

/** A kind that a controller reads without reacting to it: it does not start before the kind is listed. */
export const read = <T extends KubeObject>(informers: InformerFactory, kind: ResourceKind<T>): Source<T> =>
  source(informers.of(kind), () => [])
