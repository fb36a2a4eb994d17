import type { Pod } from '@kerf/apis'
import type { ApiCall } from '@kerf/sandbox'
import type { Environment } from '../environment/environment.ts'

/** Returns the pod that a call affects; undefined if another pod has that name. */
export const podOfCall = (environment: Environment, { ref, uid }: ApiCall): Pod | undefined =>
  environment
    .pods()
    .find(
      ({ metadata }) =>
        metadata.name === ref?.name &&
        metadata.namespace === ref?.namespace &&
        (uid === undefined || metadata.uid === uid),
    )
