import { fillWithOddObjects } from './odd-objects.ts'
import { openWalkedCluster, type WalkedCluster } from './walked-cluster.ts'

const HOUR = 3_600_000
/** The age of the small cluster's events. It is low enough that they count as recent for the whole test. */
const EVENTS_AGO = HOUR / 6

/** Opens a small cluster with objects in every unusual state. Its clock stops at `end` (milliseconds). */
export const openSmallCluster = (end: number): Promise<WalkedCluster> =>
  openWalkedCluster(end, 4 * HOUR, (client) => fillWithOddObjects(client, end - EVENTS_AGO))
