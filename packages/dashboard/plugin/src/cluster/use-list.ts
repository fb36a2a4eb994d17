import { type KnownList, knownList } from '../model/known-list.ts'
import type { AnyObject, KubeObjectClass } from './classes.ts'

type Options = Parameters<KubeObjectClass['useList']>[0]

/**
 * Returns objects from Headlamp's own list. If the API server refuses the list, it is unknown, which is different
 * from empty.
 */
export const useKindList = (kind: KubeObjectClass, options?: Options): KnownList<AnyObject> => {
  const { items, error } = kind.useList(options) as { readonly items: AnyObject[] | null; readonly error?: unknown }
  return knownList(items, error)
}
