import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useMemo, useState } from 'react'
import { checkReadable, type Readable } from '../model/reported.ts'
import { askKerf } from './controller.ts'
import { isKnown, isLoaded, isWhole, liveItems, type LiveName, useLive } from './live-objects.tsx'
import { usePoolCounts } from './use-objects.ts'

const PODS_AND_BUDGETS: readonly LiveName[] = ['pods', 'disruptionBudgets']
const MACHINES: readonly LiveName[] = ['nodes', 'claims', 'pools', ...PODS_AND_BUDGETS]

/** Returns Kerf's response for a path. Sends the request again when `time` changes. Returns undefined if the controller is not Kerf. */
const useAnswer = (path: string, time: number): unknown => {
  const cluster = K8s.useCluster() ?? ''
  const [answer, setAnswer] = useState<unknown>()
  useEffect(() => {
    let isOver = false
    void askKerf(cluster, path).then((found) => {
      if (!isOver) setAnswer(found)
    })
    return () => {
      isOver = true
    }
  }, [cluster, path, time])
  return answer
}

/** Returns Kerf's decisions. */
export const useReportedDecisions = (time: number): unknown => useAnswer('/kerf/v1/decisions', time)

/** Returns Kerf's report of the next disruptions, and of what blocks them. */
export const useReportedNext = (time: number): unknown => useAnswer('/kerf/v1/next', time)

/** Returns the decisions of observe mode, and whether the whole controller only observes. */
export const useReportedObserved = (time: number): unknown => useAnswer('/kerf/v1/observed', time)

/** Returns a live list of the pods and PodDisruptionBudgets that the user is allowed to list. */
export const useReadable = (): Readable => {
  const lists = useLive(PODS_AND_BUDGETS)
  const [pods, budgets] = [liveItems(lists, 'pods'), liveItems(lists, 'disruptionBudgets')]
  return useMemo(() => checkReadable(pods, budgets), [pods, budgets])
}

/**
 * Returns the objects that show why nodes are kept. If the user is not allowed to list a resource kind, its list is empty. `isPart` means
 * that there may be more pods or budgets than those listed. `unread` contains the lists that could not be read.
 */
export const useNodeObjects = () => {
  const lists = useLive(MACHINES)
  const counts = usePoolCounts()
  const isPart = PODS_AND_BUDGETS.some((name) => isLoaded(lists, name) && !isWhole(lists, name))
  const [nodes, claims, pods] = [liveItems(lists, 'nodes'), liveItems(lists, 'claims'), liveItems(lists, 'pods')]
  return {
    ...{ nodes, claims, pods, budgets: liveItems(lists, 'disruptionBudgets'), pools: liveItems(lists, 'pools') },
    ...{ counts, isPart },
    unread: MACHINES.filter((name) => isLoaded(lists, name) && !isKnown(lists, name)),
    isLoading: MACHINES.some((name) => !isLoaded(lists, name)),
  }
}
