import type { Lease } from '@kerf/apis'
import { leaseHolder } from './lease-record.ts'

/** The annotation that contains the provider of the Lease's holder. Kerf sets it on its Lease. */
export const LEASE_PROVIDER = 'kerf.sh/provider'
/** The annotation that has the value `observe` on the Lease of a Kerf process in observe mode. */
export const LEASE_MODE = 'kerf.sh/mode'

/** A field selector that excludes the Leases of kubelets. Each node has one, and they are not used for leader election. */
export const CONTROLLER_LEASES = 'metadata.namespace!=kube-node-lease'

/** The name of the Lease in the Helm charts of Karpenter and Kerf. */
const CHART_LEASE = 'karpenter-leader-election'
/** The name of Kerf's Lease in observe mode. */
export const OBSERVER_LEASE = 'kerf-observe'
/** The start of the user agents of Karpenter and Kerf. The API server records it as the field manager. */
const MANAGER = 'karpenter'

interface Managed {
  readonly managedFields?: readonly { readonly manager?: string }[]
}

/**
 * Returns whether an active Karpenter or Kerf holds the Lease. It is recognized by the Lease's name in the charts, or by the field manager.
 * A Kerf process in observe mode is not active.
 */
export const isControllerLease = (lease: Lease): boolean => {
  const { namespace, name, annotations } = lease.metadata
  if (namespace === 'kube-node-lease' || leaseHolder(lease) === '') return false
  if (name === OBSERVER_LEASE || annotations?.[LEASE_MODE] === 'observe') return false
  const { managedFields = [] } = lease.metadata as Managed
  return name === CHART_LEASE || managedFields.some(({ manager }) => manager === MANAGER)
}

/** Returns whether the holder of the Lease may manage NodePools of `provider`. Returns false if the Lease has another provider. */
export const servesTogether = (lease: Lease, provider: string): boolean =>
  (lease.metadata.annotations?.[LEASE_PROVIDER] ?? provider) === provider
