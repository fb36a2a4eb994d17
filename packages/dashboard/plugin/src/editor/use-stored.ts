import type { AnyObject, KubeObjectClass } from '../cluster/classes.ts'
import { useKindList } from '../cluster/use-list.ts'
import { listAt } from '../model/read.ts'

/** The object as it is stored now. `unknown` if it cannot be read. */
export type Stored =
  | { readonly state: 'unknown' | 'gone' }
  | { readonly state: 'there' | 'leaving'; readonly object: unknown }

/**
 * Follows the stored object while it is being edited: its changes, its deletion, and a new object with the same name.
 */
export const useStored = (item: AnyObject): Stored => {
  const namespace = item.getNamespace()
  const { items } = useKindList(item._class() as KubeObjectClass, {
    cluster: item.cluster,
    fieldSelector: `metadata.name=${item.getName()}`,
    ...(namespace ? { namespace } : {}),
  })
  if (items === null) return { state: 'unknown' }
  const [found] = listAt({ items }, 'items') as readonly AnyObject[]
  if (found === undefined) return { state: 'gone' }
  const object: unknown = found.jsonData
  return { state: found.metadata.deletionTimestamp === undefined ? 'there' : 'leaving', object }
}
