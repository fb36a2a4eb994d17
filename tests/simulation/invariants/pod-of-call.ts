import type { Pod } from '@kerf/apis'
import type { ApiCall } from '@kerf/sandbox'
import type { Environment } from '../environment/environment.ts'

/** Returns the pod that a call affects. Returns undefined if the pod with that name is a different one. */
export const podOfCall = (environment: Environment, { ref, uid }: ApiCall): Pod | undefined =>
  environment
    .pods()
    .find(
      ({ metadata }) =>
        metadata.name === ref?.name &&
        metadata.namespace === ref?.namespace &&
        (uid === undefined || metadata.uid === uid),
    )
