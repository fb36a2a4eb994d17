import type { KubeObject } from '@kerf/apis'
import type { Informer } from '@kerf/runtime'

/** An informer's objects as an array that stays the same, identity included, until one of them changes. */
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
