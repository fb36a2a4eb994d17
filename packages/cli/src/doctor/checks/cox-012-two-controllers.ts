import { kinds, type Lease, type Milliseconds, parseTime } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { isControllerLease, LEASE_PROVIDER } from '@kerf/runtime'
import type { Check } from '../check.ts'

/**
 * A Lease counts as live if it was renewed within this time. Holders renew every two seconds, and reading all objects of a cluster
 * takes less than this.
 */
const FRESH: Milliseconds = 60_000

type Managed = { readonly managedFields?: readonly { readonly time?: string }[] }

/**
 * Returns when the Lease was last renewed. The time is from the API server's clock if the object has managedFields, otherwise from the
 * holder's clock.
 */
const renewedAt = ({ metadata, spec }: Lease): Milliseconds => {
  const stored = ((metadata as Managed).managedFields ?? []).flatMap(({ time }) => parseTime(time) ?? [])
  return stored.length === 0 ? (parseTime(spec.renewTime) ?? 0) : Math.max(...stored)
}

/**
 * Returns the Leases of live controllers: those renewed at about the same time as the most recently renewed Lease. The local clock does not
 * matter, so the objects may come from files.
 */
const liveLeases = (leases: readonly Lease[]): readonly Lease[] => {
  const newest = leases.reduce((latest, lease) => Math.max(latest, renewedAt(lease)), 0)
  return leases.filter((lease) => isControllerLease(lease) && newest - renewedAt(lease) <= FRESH)
}

/**
 * Returns the Leases whose controllers may manage the same NodePools as the controller of another Lease. That is possible if both Leases
 * contain the same provider, or if at least one of them contains no provider.
 */
const rivals = (leases: readonly Lease[]): readonly Lease[] =>
  leases.filter((lease) =>
    leases.some((other) => {
      const [one, two] = [lease, other].map(({ metadata }) => metadata.annotations?.[LEASE_PROVIDER])
      return other !== lease && (one === undefined || two === undefined || one === two)
    }),
  )

export const cox012: Check = {
  id: 'COX-012',
  group: 'coexistence',
  severity: 'critical',
  title: 'Two controllers for the same NodePools',
  why: 'Two Karpenters, or Karpenter and Kerf with different leases, act on the same NodePools: each launches and removes nodes and reverts the changes of the other. If they share one Lease, one of them waits; a migration uses this. A renewed Lease also reveals a controller that runs outside the cluster. A controller without leader election has no Lease.',
  reads: ['Deployment'],
  examine({ controllers, objects }) {
    const running = controllers.filter(({ spec }) => (spec.replicas ?? 1) > 0)
    const leases = rivals(liveLeases(objects.of(kinds.Lease)))
    if (leases.length > 1) {
      return foundAny(
        leases.map(objectName),
        {
          seen: `two active controllers: ${leases
            .map((lease) => `${lease.spec.holderIdentity} renews ${objectName(lease)}`)
            .join('; ')}`,
          remedy:
            'stop all but one, or give them one Lease (LEADER_ELECTION_NAMESPACE, LEADER_ELECTION_NAME); a controller for another cloud may stay',
        },
        'one controller',
      )
    }
    return foundAny(
      running.length > 1 ? running.map(objectName) : [],
      {
        seen: `${running.length} Deployments run a controller for NodePools`,
        remedy: 'scale all but one to zero: kubectl -n NAMESPACE scale deployment NAME --replicas 0',
      },
      running.length === 1 ? 'one controller' : 'no controller was found',
    )
  },
}
