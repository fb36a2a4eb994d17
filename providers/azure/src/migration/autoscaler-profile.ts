import { ownValue } from '@kerf/apis'
import type { ManagedAutoscaler } from '@kerf/provider-contract'
import { isUnset, type Loose } from '@kerf/provider-kit/documents'

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
 * Reads `autoScalerProfile` of an AKS cluster, the settings of the Cluster Autoscaler that AKS runs. `object` is the name of the cluster
 * for reports.
 *
 * https://learn.microsoft.com/azure/aks/cluster-autoscaler#use-the-cluster-autoscaler-profile
 */
export const readProfile = (profile: Loose, object: string): ManagedAutoscaler => ({
  object,
  flags: Object.entries(profile).flatMap(([field, value]) =>
    isUnset(value)
      ? []
      : [{ name: flagName(field), value: String(value), source: { object, field: `autoScalerProfile.${field}` } }],
  ),
})
