import { useEffect, useRef, useState } from 'react'
import { type LeastCost, leastCost } from '../model/least-cost.ts'
import { useInstanceTypes } from './use-instance-types.ts'
import type { Loaded } from './use-objects.ts'

/** Above this the bound is not worked out on its own: it would hold up the page. */
const MOST_PODS = 10_000
/** Milliseconds between two times that it is worked out, however often the objects change. */
const EVERY = 10_000

/** What the pods of the cluster would cost at the least; `undefined` while that is not known, or may not be. */
export const useLeastCost = ({ objects, notKnown, isLoading }: Loaded): LeastCost | undefined => {
  const { instanceTypes, wellKnown, from } = useInstanceTypes(objects)
  const [cost, setCost] = useState<LeastCost>()
  const isReady =
    !isLoading &&
    from !== 'asking' &&
    (['pods', 'pools', 'claims', 'nodes'] as const).every((kind) => !notKnown.has(kind)) &&
    objects.pods.length <= MOST_PODS
  const latest = useRef({ objects, instanceTypes, wellKnown })
  latest.current = { objects, instanceTypes, wellKnown }
  useEffect(() => {
    if (!isReady) {
      setCost(undefined)
      return undefined
    }
    let worked: unknown
    const work = (): void => {
      const now = latest.current
      if (worked === now.objects) return
      worked = now.objects
      try {
        setCost(leastCost(now.objects, now.instanceTypes, now.wellKnown))
      } catch {
        setCost({ kind: 'none' })
      }
    }
    // The first time soon after the page is drawn, then at a pace that changes cannot hold up.
    const first = setTimeout(work, 500)
    const timer = setInterval(work, EVERY)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [isReady])
  return cost
}
