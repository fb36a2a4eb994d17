import { declareEvents } from '@kerf/provider-contract'
import { nodeClassEvents } from '@kerf/provider-kit'

const { WaitingOnNodeClaimTermination: waiting } = nodeClassEvents('node class')

/** The Events that the provider publishes. */
export const ociEvents = declareEvents({
  WaitingOnNodeClaimTermination: { ...waiting, about: ['OCINodeClass', 'OciNodeClass'] },
})
