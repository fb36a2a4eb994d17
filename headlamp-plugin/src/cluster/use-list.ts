import { type KnownList, knownList } from '../model/known-list.ts'
import type { AnyObject, KubeObjectClass } from './classes.ts'

type Options = Parameters<KubeObjectClass['useList']>[0]

/** Objects as Headlamp's own list follows them; not known, and not none, where the API server refuses. */
export const useListOf = (kind: KubeObjectClass, options?: Options): KnownList<AnyObject> => {
  const { items, error } = kind.useList(options) as { readonly items: AnyObject[] | null; readonly error?: unknown }
  return knownList(items, error)
}
