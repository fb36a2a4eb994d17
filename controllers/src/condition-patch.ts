import { type Condition, conditionsOf, type KubeObject, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/**
 * Writes an object's conditions, and other status fields if given, unless nothing would change. Lists of conditions have
 * several writers, so the patch holds on to the object's version: the API answers 409 when somebody was faster.
 */
export const patchConditions = async <T extends Conditioned>(
  client: KubeClient,
  kind: ResourceKind<T>,
  object: T,
  conditions: readonly Condition[],
  signal: AbortSignal,
  status: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  if (conditions === conditionsOf(object) && Object.keys(status).length === 0) return
  const { name = '', namespace, resourceVersion } = object.metadata
  await client.patch(
    kind,
    { name, ...(namespace === undefined ? {} : { namespace }) },
    { type: 'merge', body: { metadata: { resourceVersion }, status: { ...status, conditions } } },
    { subresource: 'status', signal },
  )
}
