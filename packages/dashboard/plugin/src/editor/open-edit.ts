import { useSyncExternalStore } from 'react'
import type { AnyObject } from '../cluster/classes.ts'
import type { Change } from '../model/merge.ts'

/** The object in the editor. Its text is the stored object, or contains a proposed change that is not saved. */
export interface OpenedEdit {
  readonly item: AnyObject
  readonly proposed?: Change | undefined
}

/**
 * The object being edited. It is kept outside the pages, because a page disappears when its object is deleted, when the user goes back, or
 * when a request fails. The text must survive all of these.
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

/** Opens the editor for an object. Without an argument, closes it. */
export const openEdit = (edit: OpenedEdit | undefined): void => {
  opened = edit
  publish()
}

/** Registers a component that shows the editor. Returns a function that removes it. */
export const hostEdits = (): (() => void) => {
  hosts += 1
  publish()
  return () => {
    hosts -= 1
    publish()
  }
}

export const useOpenEdit = (): OpenedEdit | undefined => useSyncExternalStore(subscribe, () => opened)
/** Returns whether Headlamp's frame shows the editor. If the frame does not support panels, the page must show it. */
export const useIsHosted = (): boolean => useSyncExternalStore(subscribe, () => hosts > 0)
