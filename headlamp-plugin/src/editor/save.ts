import { ApiProxy } from '@kinvolk/headlamp-plugin/lib'
import type { AnyObject } from '../cluster/classes.ts'
import { forSaving, textOf } from '../model/editing.ts'
import { at, type Fields, textAt } from '../model/read.ts'

/** What came of sending an edit. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly object: unknown }
  /** Somebody changed the object since the editing began. */
  | { readonly kind: 'conflict' }
  /** Somebody deleted it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly message: string }

/** A busy controller writes status again and again: so often its new versions are no conflict with a person's text. */
const MOST_TRIES = 3

/**
 * Sends an edit of the object as it was when the editing began; with `dryRun` the API server checks everything, admission
 * included, and stores nothing. A newer version that differs in what the server and controllers keep alone, status above
 * all, is no conflict. Never throws.
 */
export const send = async (item: AnyObject, original: unknown, edited: Fields, dryRun: boolean): Promise<Outcome> => {
  let base = original
  for (let tries = 1; ; tries++) {
    const outcome = await sendOnce(item, base, edited, dryRun)
    if (outcome.kind !== 'conflict' || tries === MOST_TRIES) return outcome
    const now = await reload(item)
    if (now === undefined || textOf(now) !== textOf(original)) return outcome
    base = now
  }
}

/** Where the API server has the object. */
const pathOf = (item: AnyObject): string => {
  const [group = '', version = ''] = (textAt(item.jsonData, 'apiVersion') ?? '').split('/')
  const namespace = item.getNamespace()
  return `/apis/${group}/${version}/${namespace ? `namespaces/${namespace}/` : ''}${
    item._class().apiName
  }/${item.getName()}`
}

const sendOnce = async (item: AnyObject, original: unknown, edited: Fields, dryRun: boolean): Promise<Outcome> => {
  const query = `fieldManager=headlamp&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`
  try {
    const object: unknown = await ApiProxy.clusterRequest(`${pathOf(item)}?${query}`, {
      cluster: item.cluster,
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(forSaving(edited, original)),
      autoLogoutOnAuthError: false,
    })
    return { kind: 'accepted', object }
  } catch (error) {
    if (at(error, 'status') === 409) return { kind: 'conflict' }
    if (at(error, 'status') === 404) return { kind: 'gone' }
    return { kind: 'refused', message: messageOf(error) }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Stores an edited object anew, after the one that it began with was deleted. Never throws. */
export const create = async (item: AnyObject, edited: Fields): Promise<Outcome> => {
  const collection = pathOf(item).replace(/\/[^/]+$/, '')
  try {
    const object: unknown = await ApiProxy.clusterRequest(
      `${collection}?fieldManager=headlamp&fieldValidation=Strict`,
      {
        cluster: item.cluster,
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(edited),
        autoLogoutOnAuthError: false,
      },
    )
    return { kind: 'accepted', object }
  } catch (error) {
    return { kind: 'refused', message: messageOf(error) }
  }
}

/** The stored object as it is now, to begin the edit again. */
export const reload = async (item: AnyObject): Promise<unknown> => {
  return ApiProxy.clusterRequest(pathOf(item), { cluster: item.cluster, autoLogoutOnAuthError: false }).catch(
    () => undefined,
  )
}
