import { useRef } from 'react'
import { keptEqual } from '../model/kept-equal.ts'

/** Returns a value equal to `now`. Returns the same object as in the last render, and the same parts, while they are equal. */
export const useKept = <T>(now: T): T => {
  const before = useRef<T>(now)
  before.current = keptEqual(before.current, now)
  return before.current
}
