import { declareEvents } from '@kerf/provider-contract'
import { nodeClassEvents } from '@kerf/provider-kit'

const instance = ['NodeClaim', 'Node'] as const

/** The Events that this provider publishes, by reason (`docs/spec/events.md#aws-events`). */
export const awsEvents = declareEvents({
  CapacityReservationInstanceInterrupted: {
    type: 'Warning',
    about: instance,
    when: 'The owner of the capacity reservation reclaims it.',
  },
  InstanceStopping: { type: 'Warning', about: instance, when: 'The instance is stopping.' },
  InstanceTagsMissing: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The instance lacks tags by which Kerf finds its instances.',
  },
  InstanceTerminating: { type: 'Warning', about: instance, when: 'The instance is terminating.' },
  InstanceUnhealthy: {
    type: 'Warning',
    about: instance,
    when: 'AWS scheduled a change for the instance, or a status check of it fails.',
  },
  SpotInterrupted: { type: 'Warning', about: instance, when: 'EC2 interrupts the spot instance within two minutes.' },
  SpotRebalanceRecommendation: {
    type: 'Normal',
    about: instance,
    when: 'The spot instance has an increased risk of interruption. Kerf takes no action.',
  },
  SpotServiceLinkedRoleMissing: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The account lacks the service-linked role for spot instances, and it could not be created.',
  },
  TerminatingOnInterruption: {
    type: 'Warning',
    about: instance,
    when: 'The NodeClaim is deleted because its instance is interrupted.',
  },
  ...nodeClassEvents('EC2NodeClass'),
  ZonalShiftActive: {
    type: 'Warning',
    about: ['NodePool'],
    when: 'Traffic was shifted away from a zone; Kerf launches no instances there.',
  },
  ZonalShiftCleared: { type: 'Normal', about: ['NodePool'], when: 'The traffic shift away from a zone ended.' },
} as const)

/** A reason from the list above. */
export type AwsEventReason = keyof typeof awsEvents.definitions & string
