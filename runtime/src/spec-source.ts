import { type KubeObject, ownValue } from '@kerf/apis'
import type { Change, Informer } from './informers/informer.ts'
import { type Source, source } from './reconciler.ts'

type Texts = Readonly<Record<string, string>> | undefined

const areEqual = (a: Texts = {}, b: Texts = {}): boolean => {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => ownValue(a, key) === ownValue(b, key))
}

/** Whether two versions of one object differ in nothing but status and bookkeeping (managedFields, ownership, finalizers). */
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
 * A source whose changes of status wake nobody: for who writes that status, and for who reads only what users write. Two
 * processes that both write a status would otherwise wake each other without end when their texts differ.
 *
 * The API server counts `generation` up with the spec; an object without one is taken for changed.
 */
export const specSource = <T extends KubeObject>(informer: Informer<T>, keysOf: Source<T>['keysOf']): Source<T> =>
  source(informer, (change) => (differInStatusOnly(change) ? [] : keysOf(change)))
