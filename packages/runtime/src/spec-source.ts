import { type KubeObject, ownValue } from '@kerf/apis'
import type { Change, Informer } from './informers/informer.ts'
import { type Source, source } from './reconciler.ts'

type Texts = Readonly<Record<string, string>> | undefined

const areEqual = (a: Texts = {}, b: Texts = {}): boolean => {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => ownValue(a, key) === ownValue(b, key))
}

/** Returns whether the change affects only the status, or metadata that users do not set (managedFields, owners, finalizers). */
const differInStatusOnly = ({ before, after }: Change<KubeObject>): boolean => {
  const [a, b] = [before?.metadata, after?.metadata]
  return (
    a !== undefined &&
    b !== undefined &&
    a.uid === b.uid &&
    a.generation !== undefined &&
    a.generation === b.generation &&
    a.deletionTimestamp === b.deletionTimestamp &&
    areEqual(a.labels, b.labels) &&
    areEqual(a.annotations, b.annotations)
  )
}

/**
 * Returns a controller source that ignores changes of only the status. It is for controllers that write that status, and for controllers
 * that read only what users write. Without it, two processes that write different values to the status would trigger each other endlessly.
 * The API server increments `generation` when the spec changes. An object without `generation` is always treated as changed.
 */
export const specSource = <T extends KubeObject>(informer: Informer<T>, keysOf: Source<T>['keysOf']): Source<T> =>
  source(informer, (change) => (differInStatusOnly(change) ? [] : keysOf(change)))
