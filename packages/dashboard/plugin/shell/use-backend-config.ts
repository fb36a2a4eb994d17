import { getAppUrl } from '@kinvolk/headlamp-plugin/lib/helpers/getAppUrl'
import type { Cluster } from '@kinvolk/headlamp-plugin/lib/lib/k8s/cluster'
import { setConfig } from '@kinvolk/headlamp-plugin/lib/redux/configSlice'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useDispatch } from 'react-redux'

interface BackendConfig {
  readonly clusters: readonly Cluster[]
}

const fetchConfig = async (): Promise<BackendConfig> => {
  const answer = await fetch(`${getAppUrl()}config`)
  if (!answer.ok) throw new Error(`the dashboard server answers ${answer.status}`)
  return (await answer.json()) as BackendConfig
}

/**
 * Requests the list of clusters from the server every ten seconds. If the server does not respond, keeps the last
 * list.
 */
export const useBackendConfig = (): {
  readonly ready: boolean
  readonly failure: string | undefined
  /** The name of the cluster if there is exactly one. */
  readonly onlyCluster: string | undefined
} => {
  const dispatch = useDispatch()
  const { data, error } = useQuery({ queryKey: ['config'], queryFn: fetchConfig, refetchInterval: 10_000, retry: false })
  useEffect(() => {
    if (data === undefined) return
    dispatch(setConfig({ ...data, clusters: Object.fromEntries(data.clusters.map((one) => [one.name, one])) }))
  }, [data, dispatch])
  const [first, ...others] = data?.clusters ?? []
  return {
    ready: data !== undefined,
    onlyCluster: others.length === 0 ? first?.name : undefined,
    failure:
      error === null ? undefined : `The dashboard server does not answer; what is shown may be old. (${error.message})`,
  }
}
