import { groupVersion, type KubeObject, type ResourceKind } from '@kerf/apis'
import type { KubeClient, ListOptions } from '@kerf/runtime'

/** A client that can only list. */
export type ListClient = Pick<KubeClient, 'list'>

const PAGE = 1_000

/**
 * Returns every object of a kind, read page by page. Adds the kind and the API version, which the items of a list do not have.
 * @throws ApiError
 */
export const listAll = async (
  client: ListClient,
  kind: ResourceKind,
  selection: Pick<ListOptions, 'namespace' | 'fieldSelector'> = {},
): Promise<readonly KubeObject[]> => {
  const objects: KubeObject[] = []
  let next: string | undefined
  do {
    const page = await client.list(kind, {
      ...selection,
      limit: PAGE,
      ...(next === undefined ? {} : { continue: next }),
    })
    for (const item of page.items) objects.push({ ...item, apiVersion: groupVersion(kind), kind: kind.kind })
    next = page.metadata.continue === '' ? undefined : page.metadata.continue
  } while (next !== undefined)
  return objects
}
