import { kinds } from '@kerf/apis'
import { accessReviews, tokenReviews } from '../serving/review-kinds.ts'
import { may, OWN_NAMESPACE, type Permission } from './permission.ts'

/** The Lease that `LeaderElector` holds. */
const leaderElection = (leaseName: string): readonly Permission[] => {
  const traits = { namespace: OWN_NAMESPACE, when: 'LeaderElection' } as const
  return [
    may(['create'], kinds.Lease, 'the first replica makes the Lease', traits),
    may(['get', 'update'], kinds.Lease, 'taking, renewing and handing back the Lease', {
      ...traits,
      names: [leaseName],
    }),
  ]
}

/** What `ApiEventRecorder` writes, in the namespace of whatever an event is about. */
const events: readonly Permission[] = [
  may(['create', 'patch'], kinds.Event, 'telling what is done and why; a repeated event is counted up'),
]

const unseen = 'asked when somebody scrapes'
/** What `MetricsAuthorization` asks. */
export const metricsAuthorizationPermissions: readonly Permission[] = [
  may(['create'], tokenReviews, 'who scrapes the metrics', { when: 'MetricsAuthorization', unseen }),
  may(['create'], accessReviews, 'whether she may', { when: 'MetricsAuthorization', unseen }),
]

/** What the parts of this package ask for themselves. */
export const runtimePermissions = (of: { readonly leaderElectionName: string }): readonly Permission[] => [
  ...leaderElection(of.leaderElectionName),
  ...events,
  ...metricsAuthorizationPermissions,
]
