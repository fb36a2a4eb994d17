import type { AnyObject, KubeObjectClass } from './classes.ts'

/** A list as Headlamp follows it. `items` is `null` while nothing is known: before the answer, and where there is none. */
export interface KnownList {
  readonly items: readonly AnyObject[] | null
  readonly error: unknown
}

type Options = Parameters<KubeObjectClass['useList']>[0]

/** Headlamp's own list gives no items where the API server refuses or does not answer; that is not an empty list. */
export const useListOf = (kind: KubeObjectClass, options?: Options): KnownList => {
  const { items, error } = kind.useList(options) as { readonly items: AnyObject[] | null; readonly error?: unknown }
  const isAnswered = items !== null && (items.length > 0 || error === null || error === undefined)
  return { items: isAnswered ? items : null, error }
}
