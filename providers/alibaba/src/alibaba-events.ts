import { declareEvents } from '@kerf/provider-contract'
import { nodeClassEvents } from '@kerf/provider-kit'

/** The Events that this provider publishes, by reason. */
export const alibabaEvents = declareEvents({
  InstanceTagsMissing: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The instance lacks tags by which Kerf finds its instances.',
  },
  TerminatingOnInterruption: {
    type: 'Warning',
    about: ['NodeClaim', 'Node'],
    when: 'The NodeClaim is deleted because ECS takes its spot instance back within five minutes.',
  },
  ...nodeClassEvents('ECSNodeClass'),
} as const)
