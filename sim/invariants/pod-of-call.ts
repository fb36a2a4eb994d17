import type { Pod } from '@kerf/apis'
import type { ApiCall } from '@kerf/sandbox'
import type { World } from '../world/world.ts'

/** The pod that a call takes effect on: none where its name has passed to another pod than the one that is meant. */
export const podOfCall = (world: World, { ref, uid }: ApiCall): Pod | undefined =>
  world
    .pods()
    .find(
      ({ metadata }) =>
        metadata.name === ref?.name &&
        metadata.namespace === ref?.namespace &&
        (uid === undefined || metadata.uid === uid),
    )
