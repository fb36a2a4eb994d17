import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useMemo, useState } from 'react'
import { type Readable, readableOf } from '../model/reported.ts'
import { askKerf } from './controller.ts'
import { bareOf, isLoaded, isWhole, type LiveName, useLive } from './live-objects.tsx'

const PODS_AND_BUDGETS: readonly LiveName[] = ['pods', 'disruptionBudgets']
const MACHINES: readonly LiveName[] = ['nodes', 'claims', ...PODS_AND_BUDGETS]

/** What Kerf answers to a path, asked again whenever `time` changes; nothing from upstream's controller. */
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

/** Kerf's decisions. */
export const useReportedDecisions = (time: number): unknown => useAnswer('/kerf/v1/decisions', time)

/** What Kerf disrupts next, and what holds it. */
export const useReportedNext = (time: number): unknown => useAnswer('/kerf/v1/next', time)

/** What was decided in observe mode, and whether the whole controller observes. */
export const useReportedObserved = (time: number): unknown => useAnswer('/kerf/v1/observed', time)

/** The pods and PodDisruptionBudgets that this user may list, live. */
export const useReadable = (): Readable => {
  const lists = useLive(PODS_AND_BUDGETS)
  const [pods, budgets] = [bareOf(lists, 'pods'), bareOf(lists, 'disruptionBudgets')]
  return useMemo(() => readableOf(pods, budgets), [pods, budgets])
}

/** What shows what keeps nodes; kinds that the user may not list are empty. `isPart`: there may be pods or budgets of others. */
export const useNodeObjects = () => {
  const lists = useLive(MACHINES)
  const isPart = PODS_AND_BUDGETS.some((name) => isLoaded(lists, name) && !isWhole(lists, name))
  const [nodes, claims, pods] = [bareOf(lists, 'nodes'), bareOf(lists, 'claims'), bareOf(lists, 'pods')]
  return { nodes, claims, pods, budgets: bareOf(lists, 'disruptionBudgets'), isPart }
}
