import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import type { DashboardCluster } from '@kerf/dashboard'
import { findConnection, type KubeClient, SystemClock } from '@kerf/runtime'
import type { BrowserContext } from 'playwright-core'
import { openDayCluster } from '../../../../tools/pictures/day-cluster.ts'
import { forwardToHistory, startHistory } from '../../../../tools/pictures/history.ts'
import { fullCluster } from '../../../benchmarks/dashboard/full-cluster.ts'
import { openWalkedCluster } from './walked-cluster.ts'

const HOUR = 3_600_000

/** A cluster with one or more dashboards: for example, one for each controller. */
export interface OpenedClusters {
  readonly clusters: readonly DashboardCluster[]
  readonly client: KubeClient
  /** Prepares the window in which the clusters are shown. */
  prepare?(context: BrowserContext): Promise<unknown>
  close(): Promise<void>
}

const createAll = async (client: KubeClient, kind: unknown, objects: readonly object[]): Promise<void> => {
  for (const object of objects) {
    const { metadata } = await client.create(kind as ResourceKind<KubeObject>, object as KubeObject)
    const { status } = object as { readonly status?: object }
    if (status === undefined) continue
    const { name = '', namespace } = metadata
    const ref = namespace === undefined ? { name } : { name, namespace }
    await client.patch(
      kind as ResourceKind<KubeObject>,
      ref,
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
  }
}

/** Opens a cluster with 500 nodes and 5,000 pods, once with Kerf and once with upstream Karpenter. */
export const openLarge = async (): Promise<OpenedClusters> => {
  const cluster = await openWalkedCluster(Date.now(), HOUR, async (client) => {
    const { pools, claims, nodes, pods } = fullCluster(500, 5_000)
    await createAll(client, karpenterKinds.NodePool, pools)
    await createAll(client, karpenterKinds.NodeClaim, claims)
    await createAll(client, kinds.Node, nodes)
    await createAll(client, kinds.Pod, pods)
  })
  const { connection, controller, client } = cluster
  return {
    clusters: [
      { name: 'kerf', connection, controller },
      { name: 'upstream', connection },
    ],
    client,
    close: () => cluster.close(),
  }
}

/** Opens a cluster with 58 nodes and a day of metrics in a real Prometheus, once with Kerf and once with upstream Karpenter. */
export const openDay = async (): Promise<OpenedClusters> => {
  const cluster = await openDayCluster(Date.now(), () => undefined)
  const history = await startHistory(cluster.scrapes)
  const connection = findConnection({ clock: new SystemClock(), env: {}, kubeconfig: cluster.kubeconfig })
  const controller = {
    metrics: () => cluster.session.metrics(),
    answer: (path: string, signal: AbortSignal) => cluster.session.answer(path, signal),
  }
  return {
    clusters: [
      { name: 'kerf', connection, controller },
      { name: 'upstream', connection },
    ],
    client: cluster.client,
    prepare: (context) => forwardToHistory(context, history),
    close: async () => {
      history.close()
      await cluster.close()
    },
  }
}
