import type { Pod } from '@kerf/apis'
import type { ApiCall } from '@kerf/sandbox'
import type { Environment } from '../environment/environment.ts'

/** The pod that a call affects. None where another pod has the name by now. */
export const podOfCall = (environment: Environment, { ref, uid }: ApiCall): Pod | undefined =>
  environment
    .pods()
    .find(
      ({ metadata }) =>
        metadata.name === ref?.name &&
        metadata.namespace === ref?.namespace &&
        (uid === undefined || metadata.uid === uid),
    )
