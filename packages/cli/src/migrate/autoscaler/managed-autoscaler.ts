import type { FieldConversion, ManagedAutoscaler } from '@kerf/provider-contract'
import { fieldConversion } from '@kerf/provider-kit/migration'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'

const NAMESPACE = 'kube-system'

/**
 * Returns the Cluster Autoscaler that the cloud runs, with the settings from the cloud. If the cluster has a Deployment of Cluster
 * Autoscaler, the flags of the Deployment apply instead, and `conversions` reports that the cloud's settings are ignored.
 */
export const withManagedSettings = (
  autoscaler: ClusterAutoscaler | undefined,
  managed: ManagedAutoscaler | undefined,
): { readonly autoscaler: ClusterAutoscaler | undefined; readonly conversions: readonly FieldConversion[] } => {
  if (managed === undefined || managed.flags.length === 0) return { autoscaler, conversions: [] }
  if (autoscaler?.deployment !== undefined) {
    const because = 'the cluster’s own Cluster Autoscaler scales the pools, and its flags apply'
    return {
      autoscaler,
      conversions: managed.flags.map(({ source }) => fieldConversion(managed.object, source.field, { because })),
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
  return { autoscaler: { ...found, ...settings }, conversions: [] }
}
