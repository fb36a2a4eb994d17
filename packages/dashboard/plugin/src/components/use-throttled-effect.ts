import { type DependencyList, useEffect, useRef } from 'react'
import { browserTimers } from '../cluster/browser-timers.ts'
import { Throttle } from '../model/throttle.ts'

/**
 * Runs an effect when its dependencies change: at once, then at most once per `every` milliseconds, and always once
 * after the last change. When `anew` changes, for example because a list has loaded, the effect runs at once without
 * this wait.
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
    // Runs the effect after the page has been rendered with the change.
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
