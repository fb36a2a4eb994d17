import { type DependencyList, useEffect, useRef } from 'react'
import { browserTimers } from '../cluster/browser-timers.ts'
import { Throttle } from '../model/throttle.ts'

/**
 * Runs an effect when what it depends on changes: at once, then at most once in `every` milliseconds, and always once more
 * after the last change. When `anew` changes, the waiting begins again: what was waited for, such as a first list, is there.
 */
export const useThrottledEffect = (
  every: number,
  effect: () => void,
  dependencies: DependencyList,
  anew: string,
): void => {
  const latest = useRef(effect)
  latest.current = effect
  const throttle = useRef<Throttle>()
  useEffect(() => {
    // After the page is drawn with what led here.
    const made = new Throttle(
      () => setTimeout(() => throttle.current === made && latest.current()),
      every,
      browserTimers,
    )
    throttle.current = made
    return () => {
      made.stop()
      throttle.current = undefined
    }
  }, [every, anew])
  useEffect(() => throttle.current?.ask(), [...dependencies, every, anew])
}
