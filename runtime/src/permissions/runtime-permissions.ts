import { kinds } from '@kerf/apis'
import { accessReviews, tokenReviews } from '../serving/review-kinds.ts'
import { may, OWN_NAMESPACE, type Permission } from './permission.ts'

/** The Lease that `LeaderElector` holds. */
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

/** What `OtherLeases` looks at. */
const otherLeases: Permission = may(['list'], kinds.Lease, 'warning of another controller of the same NodePools', {
  unseen: 'asked by the process, not by its controllers',
})

/** What `ApiEventRecorder` writes, in the namespace of whatever an event is about. */
const events: readonly Permission[] = [
  may(
    ['create', 'patch'],
    kinds.Event,
    'reporting what Kerf does and why; the count of a repeated event is increased',
    {
      observing: true,
    },
  ),
]

const unseen = 'used when somebody scrapes the metrics'
/** What `MetricsAuthorization` asks. */
export const metricsAuthorizationPermissions: readonly Permission[] = [
  may(['create'], tokenReviews, 'authenticating who scrapes the metrics', {
    when: 'MetricsAuthorization',
    observing: true,
    unseen,
  }),
  may(['create'], accessReviews, 'authorizing who scrapes the metrics', {
    when: 'MetricsAuthorization',
    observing: true,
    unseen,
  }),
]

/** What the parts of this package ask for themselves. */
export const runtimePermissions = (of: { readonly leaderElectionName: string }): readonly Permission[] => [
  ...leaderElection(of.leaderElectionName),
  otherLeases,
  ...events,
  ...metricsAuthorizationPermissions,
]
