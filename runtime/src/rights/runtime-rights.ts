import { kinds } from '@kerf/apis'
import { metricsAuthorizationRights } from '../serving/metrics-authorization.ts'
import { may, OWN_NAMESPACE, type Right } from './right.ts'

/** The Lease that `LeaderElector` holds. */
const leaderElection = (leaseName: string): readonly Right[] => {
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
const events: readonly Right[] = [
  may(['create', 'patch'], kinds.Event, 'telling what is done and why; a repeated event is counted up'),
]

/** What the parts of this package ask for themselves. */
export const runtimeRights = (of: { readonly leaderElectionName: string }): readonly Right[] => [
  ...leaderElection(of.leaderElectionName),
  ...events,
  ...metricsAuthorizationRights,
]
