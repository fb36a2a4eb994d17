import { useEffect, useRef, useState } from 'react'
import { browserCluster } from '../model/cluster-snapshot.ts'
import { computedRefusals, refusalKey } from '../model/computed-refusals.ts'
import type { Refusal } from '../model/reported.ts'
import { useController } from './use-controller.ts'
import { usePoolInstanceTypes } from './use-instance-types.ts'
import { useClusterObjects } from './use-objects.ts'

/** The minimum number of milliseconds between two computations, even if the objects change more often. */
const EVERY = 10_000
/** The same minimum for changes that seldom change a refusal (see `refusalKey`). */
const SELDOM = 60_000
/** The pause after a computation, as a multiple of the time that the computation took. */
const REST = 50

/**
 * Returns the engine's reasons for pending pods by uid, computed in the browser. Loads the necessary lists only if they
 * are needed and the controller is not Kerf, which reports its own reasons.
 */
export const useComputedRefusals = (isNeeded: boolean): ReadonlyMap<string, readonly Refusal[]> | undefined => {
  const controller = useController()
  const isWanted = isNeeded && controller !== undefined && (controller === 'none' || !controller.isKerf)
  const { objects, notKnown, isLoading } = useClusterObjects(isWanted)
  const typesOf = usePoolInstanceTypes(objects.pools)
  const [refusals, setRefusals] = useState<ReadonlyMap<string, readonly Refusal[]>>()
  const isReady = isWanted && !isLoading && typesOf !== undefined
  const latest = useRef({ objects, notKnown, typesOf })
  latest.current = { objects, notKnown, typesOf }
  useEffect(() => {
    if (!isReady) {
      setRefusals(undefined)
      return undefined
    }
    let worked: { readonly objects: unknown; readonly key: string; readonly at: number } | undefined
    let timer: ReturnType<typeof setTimeout>
    const work = (): void => {
      const { objects: now, notKnown: unknown, typesOf: typesNow } = latest.current
      const began = performance.now()
      const key = worked?.objects === now ? worked.key : refusalKey(now)
      const isDue = worked?.objects !== now && (worked?.key !== key || began - worked.at >= SELDOM)
      if (isDue && typesNow !== undefined) {
        worked = { objects: now, key, at: began }
        try {
          const { instanceTypes, vocabulary } = typesNow(now)
          setRefusals(computedRefusals(browserCluster(now, instanceTypes, unknown), vocabulary))
        } catch {
          setRefusals(undefined)
        }
      }
      timer = setTimeout(work, Math.max(EVERY, REST * (performance.now() - began)))
    }
    timer = setTimeout(work, 0)
    return () => clearTimeout(timer)
  }, [isReady])
  return refusals
}
