import { ApiProxy } from '@kinvolk/headlamp-plugin/lib'
import type { AnyObject } from '../cluster/classes.ts'
import { editorText, forSaving } from '../model/editing.ts'
import { at, errorMessage, type Fields, textAt } from '../model/read.ts'

/** The result of sending an edit. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly object: unknown }
  /** Another user changed the object after the edit began. */
  | { readonly kind: 'conflict' }
  /** Another user deleted the object. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * Maximum number of attempts to save. If only a controller changed the object in the meantime, for example its status,
 * this is not a conflict, and the edit is sent again.
 */
const MOST_TRIES = 3

/**
 * Sends an edit, based on the object's state when the edit began. With `dryRun`, the API server checks everything,
 * including admission, but stores nothing. If the stored object has since changed only in fields that the server and
 * the controllers write, such as the status, there is no conflict. Never throws.
 */
export const send = async (item: AnyObject, original: unknown, edited: Fields, dryRun: boolean): Promise<Outcome> => {
  let base = original
  for (let tries = 1; ; tries++) {
    const outcome = await sendOnce(item, base, edited, dryRun)
    if (outcome.kind !== 'conflict' || tries === MOST_TRIES) return outcome
    const now = await reload(item)
    if (now === undefined || editorText(now) !== editorText(original)) return outcome
    base = now
  }
}

/** Returns the path of the object on the API server. */
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
    return { kind: 'refused', message: errorMessage(error) }
  }
}

/** Creates the edited object again after another user deleted it. Never throws. */
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
    return { kind: 'refused', message: errorMessage(error) }
  }
}

/** Returns the stored object, so that the edit can begin again from it. */
export const reload = async (item: AnyObject): Promise<unknown> => {
  return ApiProxy.clusterRequest(pathOf(item), { cluster: item.cluster, autoLogoutOnAuthError: false }).catch(
    () => undefined,
  )
}
