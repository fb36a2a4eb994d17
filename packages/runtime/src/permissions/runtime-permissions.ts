import { kinds } from '@kerf/apis'
import { accessReviews, tokenReviews } from '../serving/review-kinds.ts'
import { may, OWN_NAMESPACE, type Permission } from './permission.ts'

/** The permissions of `LeaderElector` for its Lease. */
const leaderElection = (leaseName: string): readonly Permission[] => {
  const traits = { namespace: OWN_NAMESPACE, when: 'LeaderElection', observing: true } as const
  return [
    may(['create'], kinds.Lease, 'creating the Lease when it does not exist', traits),
    may(['get', 'update'], kinds.Lease, 'acquiring, renewing and releasing the Lease', {
      ...traits,
      names: [leaseName],
    }),
  ]
}

/** The permission of `OtherLeases`. */
const otherLeases: Permission = may(['list'], kinds.Lease, 'warning about another controller of the same NodePools', {
  unseen: 'used by the process, not by its controllers',
})

/** The permissions of `ApiEventRecorder`, in the namespaces of all objects that have Events. */
const events: readonly Permission[] = [
  may(
    ['create', 'patch'],
    kinds.Event,
    'reporting what Kerf does and why, and increasing the count of repeated events',
    {
      observing: true,
    },
  ),
]

const unseen = 'used when the metrics are scraped'
/** The permissions of `MetricsAuthorization`. */
export const metricsAuthorizationPermissions: readonly Permission[] = [
  may(['create'], tokenReviews, 'authenticating clients that scrape the metrics', {
    when: 'MetricsAuthorization',
    observing: true,
    unseen,
  }),
  may(['create'], accessReviews, 'authorizing clients that scrape the metrics', {
    when: 'MetricsAuthorization',
    observing: true,
    unseen,
  }),
]

/** Returns the permissions that this package itself needs. */
export const runtimePermissions = (of: { readonly leaderElectionName: string }): readonly Permission[] => [
  ...leaderElection(of.leaderElectionName),
  otherLeases,
  ...events,
  ...metricsAuthorizationPermissions,
]
