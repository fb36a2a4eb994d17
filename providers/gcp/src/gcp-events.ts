import { declareEvents } from '@kerf/provider-contract'
import { nodeClassEvents } from '@kerf/provider-kit'

/** The Events that this provider publishes, by reason. */
export const gcpEvents = declareEvents({
  TerminatingOnInterruption: {
    type: 'Warning',
    about: ['NodeClaim', 'Node'],
    when: 'The NodeClaim is deleted because Compute Engine stops its instance within half a minute.',
  },
  InstanceCreationTimeout: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'Compute Engine has not created an instance within five minutes. Kerf deletes it and tries another offering.',
  },
  ...nodeClassEvents('GCENodeClass'),
} as const)
