import type { Lease } from '@kerf/apis'
import { holderOf } from './lease-record.ts'

/** Which provider the holder of a Lease works with. Kerf writes it on its own. */
export const LEASE_PROVIDER = 'kerf.sh/provider'
/** `observe` on the Lease of a Kerf that only decides and records. */
export const LEASE_MODE = 'kerf.sh/mode'

/** The Leases of kubelets, one for each node, are nobody's leadership. A field selector. */
export const CONTROLLER_LEASES = 'metadata.namespace!=kube-node-lease'

/** The name in Karpenter's chart, and in Kerf's. */
const CHART_LEASE = 'karpenter-leader-election'
/** The name of Kerf's Lease in observe mode. */
export const OBSERVER_LEASE = 'kerf-observe'
/** The first part of the user agent of Karpenter and Kerf, by which the API server notes who wrote. */
const MANAGER = 'karpenter'

interface Managed {
  readonly managedFields?: readonly { readonly manager?: string }[]
}

/**
 * Whether a Karpenter or a Kerf that acts holds the Lease: known by the name of the charts, or by whoever wrote it. One that
 * only observes does not count.
 */
export const isControllerLease = (lease: Lease): boolean => {
  const { namespace, name, annotations } = lease.metadata
  if (namespace === 'kube-node-lease' || holderOf(lease) === '') return false
  if (name === OBSERVER_LEASE || annotations?.[LEASE_MODE] === 'observe') return false
  const { managedFields = [] } = lease.metadata as Managed
  return name === CHART_LEASE || managedFields.some(({ manager }) => manager === MANAGER)
}

/** Whether the holder may serve the NodePools of `provider`: unless it says that it works with another one. */
export const servesTogether = (lease: Lease, provider: string): boolean =>
  (lease.metadata.annotations?.[LEASE_PROVIDER] ?? provider) === provider
