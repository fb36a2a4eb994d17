import { useSyncExternalStore } from 'react'
import type { AnyObject } from '../cluster/classes.ts'
import type { Change } from '../model/merge.ts'

/** An object in the editor, as it is stored or with a change in its text that nobody has saved yet. */
export interface OpenedEdit {
  readonly item: AnyObject
  readonly proposed?: Change | undefined
}

/**
 * The object that is being edited. It is kept outside of the pages: the page of an object goes away with the object, with a
 * step back and with an answer that fails, and the text must not go with it.
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

/** Opens the editor of an object, or closes it. */
export const openEdit = (edit: OpenedEdit | undefined): void => {
  opened = edit
  publish()
}

/** A place that draws the editor is there, until the function it gives is called. */
export const hostEdits = (): (() => void) => {
  hosts += 1
  publish()
  return () => {
    hosts -= 1
    publish()
  }
}

export const useOpenEdit = (): OpenedEdit | undefined => useSyncExternalStore(subscribe, () => opened)
/** Whether the frame draws the editor. One that knows no panels does not, and the page has to. */
export const useIsHosted = (): boolean => useSyncExternalStore(subscribe, () => hosts > 0)
