import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useRef, useState } from 'react'
import { type LeastCost, leastCost, reportedLeastCost } from '../model/least-cost.ts'
import { askKerf } from './controller.ts'
import { usePoolInstanceTypes } from './use-instance-types.ts'
import type { Loaded } from './use-objects.ts'

/** The minimum number of milliseconds between two computations, even if the objects change more often. */
const EVERY = 30_000
/**
 * The pause after a computation, as a multiple of the time that the computation took. On a large cluster, it leaves
 * time for other work.
 */
const REST = 50
/** The controller computes the value at most once a minute, so it is not requested more often. */
const ASK_EVERY = 60_000
const ASK_AGAIN_AFTER = 5_000

/**
 * Returns the controller's value. Returns `asking` before its first response, and `undefined` if no controller has
 * the route.
 */
const useReportedLeastCost = (): LeastCost | 'asking' | undefined => {
  const cluster = K8s.useCluster() ?? ''
  const [answer, setAnswer] = useState<LeastCost | 'asking' | undefined>('asking')
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async (): Promise<void> => {
      const found = reportedLeastCost(await askKerf(cluster, '/kerf/v1/bound'))
      if (isOver) return
      setAnswer(found)
      timer = setTimeout(() => void ask(), found?.kind === 'starting' ? ASK_AGAIN_AFTER : ASK_EVERY)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [cluster])
  return answer
}

/**
 * Returns the lowest possible cost of the cluster's pods, or `undefined` while it is unknown. Uses the controller's
 * value if there is one. Otherwise the page computes the cost, provided that the user can see all pods.
 */
export const useLeastCost = ({ objects, notKnown, areAllPods, isLoading }: Loaded): LeastCost | undefined => {
  const reported = useReportedLeastCost()
  const typesOf = usePoolInstanceTypes(objects.pools)
  const [cost, setCost] = useState<LeastCost>()
  const isReady =
    reported === undefined &&
    !isLoading &&
    typesOf !== undefined &&
    areAllPods &&
    (['pools', 'claims', 'nodes'] as const).every((kind) => !notKnown.has(kind))
  const latest = useRef({ objects, typesOf })
  latest.current = { objects, typesOf }
  useEffect(() => {
    if (!isReady) {
      setCost(undefined)
      return undefined
    }
    let worked: unknown
    let timer: ReturnType<typeof setTimeout>
    const work = (): void => {
      const { objects: now, typesOf: typesNow } = latest.current
      const began = performance.now()
      if (worked !== now && typesNow !== undefined) {
        worked = now
        try {
          const { instanceTypes, vocabulary } = typesNow(now)
          setCost(leastCost(now, instanceTypes, vocabulary))
        } catch {
          setCost({ kind: 'none' })
        }
      }
      timer = setTimeout(work, Math.max(EVERY, REST * (performance.now() - began)))
    }
    // The first computation is soon after the page is rendered. Later ones follow a fixed interval, which changes of
    // the objects cannot delay.
    timer = setTimeout(work, 500)
    return () => clearTimeout(timer)
  }, [isReady])
  return reported === 'asking' ? undefined : reported ?? cost
}
