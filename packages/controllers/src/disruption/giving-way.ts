import { type Clock, sleep } from '@kerf/runtime'

/** How many nodes may be processed before other controllers run: a few milliseconds of work. */
export const NODES_PER_TURN = 250

/** Lets other due work run, and waits for the current decision about pending pods. */
export const giveWay = async (
  clock: Clock,
  provisioning: (() => Promise<void> | undefined) | undefined,
  signal: AbortSignal,
): Promise<void> => {
  await sleep(clock, 0, signal)
  await provisioning?.()
}
