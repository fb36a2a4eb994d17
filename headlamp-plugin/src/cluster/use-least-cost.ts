import { useEffect, useRef, useState } from 'react'
import { type LeastCost, leastCost } from '../model/least-cost.ts'
import { useInstanceTypes } from './use-instance-types.ts'
import type { Loaded } from './use-objects.ts'

/** Milliseconds between two times that it is worked out, however often the objects change. */
const EVERY = 30_000
/** At least so many times as long as it takes: on a large cluster a page has other things to do. */
const REST = 50

/** What the pods of the cluster would cost at the least; `undefined` while that is not known, or may not be. */
export const useLeastCost = ({ objects, notKnown, isLoading }: Loaded): LeastCost | undefined => {
  const { instanceTypes, wellKnown, from } = useInstanceTypes(objects)
  const [cost, setCost] = useState<LeastCost>()
  const isReady =
    !isLoading &&
    from !== 'asking' &&
    (['pods', 'pools', 'claims', 'nodes'] as const).every((kind) => !notKnown.has(kind))
  const latest = useRef({ objects, instanceTypes, wellKnown })
  latest.current = { objects, instanceTypes, wellKnown }
  useEffect(() => {
    if (!isReady) {
      setCost(undefined)
      return undefined
    }
    let worked: unknown
    let timer: ReturnType<typeof setTimeout>
    const work = (): void => {
      const now = latest.current
      const began = performance.now()
      if (worked !== now.objects) {
        worked = now.objects
        try {
          setCost(leastCost(now.objects, now.instanceTypes, now.wellKnown))
        } catch {
          setCost({ kind: 'none' })
        }
      }
      timer = setTimeout(work, Math.max(EVERY, REST * (performance.now() - began)))
    }
    // The first time soon after the page is drawn, then at a pace that changes cannot hold up.
    timer = setTimeout(work, 500)
    return () => clearTimeout(timer)
  }, [isReady])
  return cost
}
