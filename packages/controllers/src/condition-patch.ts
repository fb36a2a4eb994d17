import { type Condition, type KubeObject, objectConditions, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/**
 * Writes the conditions of an object, plus the fields in `status`. Writes nothing if the conditions are unchanged and `status` is empty.
 * Several controllers write conditions, so the patch contains the object's resourceVersion. If the object has changed, the API server
 * answers 409.
 */
export const patchConditions = async <T extends Conditioned>(
  client: KubeClient,
  kind: ResourceKind<T>,
  object: T,
  conditions: readonly Condition[],
  signal: AbortSignal,
  status: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  if (conditions === objectConditions(object) && Object.keys(status).length === 0) return
  const { name = '', namespace, resourceVersion } = object.metadata
  await client.patch(
    kind,
    { name, ...(namespace === undefined ? {} : { namespace }) },
    { type: 'merge', body: { metadata: { resourceVersion }, status: { ...status, conditions } } },
    { subresource: 'status', signal },
  )
}
