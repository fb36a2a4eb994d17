import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useState } from 'react'
import { type LeastCost, leastCost, reportedLeastCost, type SeenTypes } from '../model/least-cost.ts'
import { type LeastPlan, leastPlan } from '../model/least-plan.ts'
import { askKerf } from './controller.ts'
import { usePoolInstanceTypes } from './use-instance-types.ts'
import type { Loaded } from './use-objects.ts'
import { useSeldom } from './use-seldom.ts'

/** The controller computes the value at most once a minute, so it is not requested more often. */
const ASK_EVERY = 60_000
const ASK_AGAIN_AFTER = 5_000

/**
 * Returns the least cost that the controller reports. Returns `asking` before its first response, and `undefined` if no
 * controller has the route.
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

/** Returns whether the page has loaded everything that a plan for all pods needs. */
const isWholeCluster = ({
  notKnown,
  areAllPods,
  isLoading,
}: Omit<Loaded, 'objects' | 'forbidden' | 'loading'>): boolean =>
  !isLoading && areAllPods && (['pools', 'claims', 'nodes'] as const).every((kind) => !notKnown.has(kind))

/**
 * Returns the lowest possible cost of the cluster's pods, or `undefined` while it is unknown. Uses the controller's
 * value if there is one. Otherwise the page computes the cost, provided that the user can see all pods.
 */
export const useLeastCost = ({ objects, notKnown, areAllPods, isLoading }: Loaded): LeastCost | undefined => {
  const reported = useReportedLeastCost()
  const typesOf = usePoolInstanceTypes(objects.pools)
  const isReady = reported === undefined && typesOf !== undefined && isWholeCluster({ notKnown, areAllPods, isLoading })
  const cost = useSeldom(objects, isReady, (now): LeastCost | undefined => {
    if (typesOf === undefined) return undefined
    try {
      const { instanceTypes, vocabulary, from } = typesOf(now)
      return { ...leastCost(now, instanceTypes, vocabulary), isOfSeenTypes: from === 'seen' }
    } catch {
      return { kind: 'none' }
    }
  })
  return reported === 'asking' ? undefined : reported ?? cost
}

/**
 * Returns the plan of lowest cost and the capacity that it would free in each NodePool, or `undefined` while it is
 * unknown. The page computes the plan if the user can see all pods.
 */
export const useLeastPlan = ({
  objects,
  notKnown,
  areAllPods,
  isLoading,
}: Loaded): (LeastPlan & SeenTypes) | undefined => {
  const typesOf = usePoolInstanceTypes(objects.pools)
  const isReady = typesOf !== undefined && isWholeCluster({ notKnown, areAllPods, isLoading })
  return useSeldom(objects, isReady, (now) => {
    if (typesOf === undefined) return undefined
    const { instanceTypes, vocabulary, prices, from } = typesOf(now)
    return { ...leastPlan(now, instanceTypes, vocabulary, prices), isOfSeenTypes: from === 'seen' }
  })
}
