import type { Fate, ManagedAutoscaler } from '@kerf/provider-contract'
import { fieldFate } from '@kerf/provider-kit/migration'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'

const NAMESPACE = 'kube-system'

/**
 * Returns the Cluster Autoscaler that the cloud runs, with the settings from the cloud. If the cluster has a Deployment of Cluster
 * Autoscaler, the flags of the Deployment apply instead, and `fates` reports that the cloud's settings are ignored.
 */
export const withManagedSettings = (
  autoscaler: ClusterAutoscaler | undefined,
  managed: ManagedAutoscaler | undefined,
): { readonly autoscaler: ClusterAutoscaler | undefined; readonly fates: readonly Fate[] } => {
  if (managed === undefined || managed.flags.length === 0) return { autoscaler, fates: [] }
  if (autoscaler?.deployment !== undefined) {
    const because = 'the cluster’s own Cluster Autoscaler scales the pools, and its flags apply'
    return {
      autoscaler,
      fates: managed.flags.map(({ source }) => fieldFate(managed.object, source.field, { because })),
    }
  }
  const settings = {
    flagList: managed.flags,
    flags: new Map(managed.flags.map(({ name, value }) => [name, value])),
  }
  const found: ClusterAutoscaler = autoscaler ?? {
    namespace: NAMESPACE,
    configNamespaces: [NAMESPACE],
    ...settings,
    runs: true,
    statusConfigMap: `${NAMESPACE}/cluster-autoscaler-status`,
    groups: [],
  }
  return { autoscaler: { ...found, ...settings }, fates: [] }
}
