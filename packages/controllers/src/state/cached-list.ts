import type { KubeObject } from '@kerf/apis'
import type { Informer } from '@kerf/runtime'

/** Returns a function that lists the objects of an informer. The function returns the same array until an object changes. */
export const cachedList = <T extends KubeObject>(informer: Informer<T>): (() => readonly T[]) => {
  let list: readonly T[] | undefined
  informer.onChange(() => {
    list = undefined
  })
  return () => {
    list ??= Object.freeze([...informer.values()])
    return list
  }
}
