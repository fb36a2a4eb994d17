import { useEffect, useRef, useState } from 'react'

/**
 * The minimum number of milliseconds between two computations, even if their input changes more often. Kerf's
 * controller uses the same minimum.
 */
const EVERY = 60_000
/**
 * The pause after a computation, as a multiple of the time that the computation took. On a large cluster, it leaves
 * time for other work.
 */
const REST = 50
/** The milliseconds from the rendering of the page to the first computation. */
const FIRST = 500

/**
 * Returns the result of a slow computation. Returns `undefined` while the result is not ready, and after the computation has
 * thrown an error. The computation runs again only if its input has changed.
 */
export const useSeldom = <Input, Result>(
  input: Input,
  isReady: boolean,
  compute: (input: Input) => Result | undefined,
): Result | undefined => {
  const [result, setResult] = useState<Result>()
  const latest = useRef({ input, compute })
  latest.current = { input, compute }
  useEffect(() => {
    if (!isReady) {
      setResult(undefined)
      return undefined
    }
    let worked: { readonly input: Input } | undefined
    let timer: ReturnType<typeof setTimeout>
    const work = (): void => {
      const now = latest.current
      const began = performance.now()
      if (worked?.input !== now.input) {
        worked = { input: now.input }
        try {
          setResult(now.compute(now.input))
        } catch {
          setResult(undefined)
        }
      }
      timer = setTimeout(work, Math.max(EVERY, REST * (performance.now() - began)))
    }
    timer = setTimeout(work, FIRST)
    return () => clearTimeout(timer)
  }, [isReady])
  return result
}
