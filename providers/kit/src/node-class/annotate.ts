import type { KubeObject, ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'

/** Writes annotations to a cluster-scoped object. Does nothing if the object does not exist. */
export const annotate = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  name: string,
  annotations: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await client.patch(kind, { name }, { type: 'merge', body: { metadata: { annotations } } }, { signal })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
