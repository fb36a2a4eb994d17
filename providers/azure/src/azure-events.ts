import { declareEvents } from '@kerf/provider-contract'
import { nodeClassEvents } from '@kerf/provider-kit'

/** The Events that this provider publishes, by reason. */
export const azureEvents = declareEvents({
  AsyncProvisioningError: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'Azure accepted the VM but could not create it. The NodeClaim is deleted, and its pods are scheduled again.',
  },
  ...nodeClassEvents('AKSNodeClass'),
} as const)
