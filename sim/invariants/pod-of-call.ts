import type { Pod } from '@kerf/apis'
import type { ApiCall } from '@kerf/sandbox'
import type { Environment } from '../environment/environment.ts'

/** The pod that a call takes effect on: none where its name has passed to another pod than the one that is meant. */
export const podOfCall = (environment: Environment, { ref, uid }: ApiCall): Pod | undefined =>
  environment
    .pods()
    .find(
      ({ metadata }) =>
        metadata.name === ref?.name &&
        metadata.namespace === ref?.namespace &&
        (uid === undefined || metadata.uid === uid),
    )
