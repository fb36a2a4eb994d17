import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useState } from 'react'
import { type ReportedHistory, reportedHistory } from '../model/history.ts'
import { askKerf } from './controller.ts'

const EVERY = 60_000

/**
 * Returns Kerf's history of the last day for the cluster or for one NodePool. Returns `undefined` if there is no
 * controller with a history.
 */
export const useHistory = (nodePool: string | undefined): ReportedHistory | 'asking' | undefined => {
  const cluster = K8s.useCluster() ?? ''
  const [history, setHistory] = useState<ReportedHistory | 'asking' | undefined>('asking')
  useEffect(() => {
    let isOver = false
    const path = `/kerf/v1/history${nodePool === undefined ? '' : `/${encodeURIComponent(nodePool)}`}`
    const read = async (): Promise<void> => {
      const found = reportedHistory(await askKerf(cluster, path))
      if (!isOver) setHistory(found)
    }
    const timer = setInterval(() => void read(), EVERY)
    void read()
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [cluster, nodePool])
  return history
}
