import { useSyncExternalStore } from 'react'
import type { AnyObject } from '../cluster/classes.ts'
import type { Change } from '../model/merge.ts'

/** An object in the editor, as stored or with an unsaved change in its text. */
export interface OpenedEdit {
  readonly item: AnyObject
  readonly proposed?: Change | undefined
}

/**
 * The object being edited. It is kept outside of the pages, because a page disappears with its object, when the user
 * goes back, or after a failed request. The text must survive that.
 */
let opened: OpenedEdit | undefined
let hosts = 0
const listeners = new Set<() => void>()

const publish = (): void => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the editor of an object, or closes it if called without one. */
export const openEdit = (edit: OpenedEdit | undefined): void => {
  opened = edit
  publish()
}

/** Registers a place that shows the editor. Returns a function that removes it. */
export const hostEdits = (): (() => void) => {
  hosts += 1
  publish()
  return () => {
    hosts -= 1
    publish()
  }
}

export const useOpenEdit = (): OpenedEdit | undefined => useSyncExternalStore(subscribe, () => opened)
/** Returns whether the frame shows the editor. Frames without panels do not, so the page must show it. */
export const useIsHosted = (): boolean => useSyncExternalStore(subscribe, () => hosts > 0)
