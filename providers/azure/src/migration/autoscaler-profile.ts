import { ownValue } from '@kerf/apis'
import type { Fate } from '@kerf/provider-contract'
import { isUnset, type Loose } from '@kerf/provider-kit/documents'
import { fateOf } from '@kerf/provider-kit/migration'
import type { AutoscalerFlag, ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'

/** The settings of the Cluster Autoscaler that AKS runs. No object of the cluster shows them. */
export interface AutoscalerProfile {
  /** Name of the cluster for reports, for example `AKS cluster shop`. */
  readonly object: string
  readonly flags: readonly AutoscalerFlag[]
}

/** Fields of Terraform whose names differ from the flags. */
const FLAGS: Readonly<Record<string, string>> = {
  'scale-down-unneeded': 'scale-down-unneeded-time',
  'scale-down-unready': 'scale-down-unready-time',
  'max-node-provisioning-time': 'max-node-provision-time',
  'empty-bulk-delete-max': 'max-empty-bulk-delete',
  'max-unready-nodes': 'ok-total-unready-count',
  'max-unready-percentage': 'max-total-unready-percentage',
}

/**
 * Returns the flag for a field: `scaleDownUnneededTime` of the Azure CLI, or `scale_down_unneeded` of Terraform. The AKS API already uses
 * the flag names.
 */
const flagName = (field: string): string => {
  const name = field
    .replaceAll('_', '-')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/-enabled$/, '')
  return ownValue(FLAGS, name) ?? name
}

/**
 * Reads `autoScalerProfile` of an AKS cluster.
 *
 * https://learn.microsoft.com/azure/aks/cluster-autoscaler#use-the-cluster-autoscaler-profile
 */
export const readAksProfile = (profile: Loose, object: string): AutoscalerProfile => ({
  object,
  flags: Object.entries(profile).flatMap(([field, value]) =>
    isUnset(value)
      ? []
      : [{ name: flagName(field), value: String(value), source: { object, field: `autoScalerProfile.${field}` } }],
  ),
})

const PLACE = 'kube-system'

/**
 * Returns the Cluster Autoscaler with the settings of the AKS profile. If Cluster Autoscaler runs as a Deployment, AKS does not run it:
 * then its own flags apply, and the fates report that the profile is not used.
 */
export const withProfile = (
  autoscaler: ClusterAutoscaler | undefined,
  profile: AutoscalerProfile | undefined,
): { readonly autoscaler: ClusterAutoscaler | undefined; readonly fates: readonly Fate[] } => {
  if (profile === undefined || profile.flags.length === 0) return { autoscaler, fates: [] }
  if (autoscaler?.deployment !== undefined) {
    const because = 'a Cluster Autoscaler of the cluster’s own scales the pools, and its flags count'
    return {
      autoscaler,
      fates: profile.flags.map(({ source, name }) => fateOf(profile.object, source?.field ?? name, { because })),
    }
  }
  const settings = { flagList: profile.flags, flags: new Map(profile.flags.map(({ name, value }) => [name, value])) }
  const managed: ClusterAutoscaler = autoscaler ?? {
    namespace: PLACE,
    configNamespaces: [PLACE],
    ...settings,
    runs: true,
    statusConfigMap: `${PLACE}/cluster-autoscaler-status`,
    groups: [],
  }
  return { autoscaler: { ...managed, ...settings }, fates: [] }
}
