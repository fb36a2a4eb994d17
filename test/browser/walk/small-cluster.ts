import { fillWithOddObjects } from './odd-objects.ts'
import { openWalkedCluster, type WalkedCluster } from './walked-cluster.ts'

const HOUR = 3_600_000
/** How long ago the events of the small cluster were, so that they are lately for as long as the test takes. */
const EVENTS_AGO = HOUR / 6

/** Opens a small cluster with every odd state of each object, whose time stands still at `end` (milliseconds). */
export const openSmallCluster = (end: number): Promise<WalkedCluster> =>
  openWalkedCluster(end, 4 * HOUR, (client) => fillWithOddObjects(client, end - EVENTS_AGO))
