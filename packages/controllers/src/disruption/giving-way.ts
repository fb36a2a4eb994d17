import { type Clock, sleep } from '@kerf/runtime'

/** After this many nodes, which take a few milliseconds, a computation yields to other work. */
export const NODES_PER_TURN = 250

/** Yields to other work that is due, and waits until the current decision about pending pods ends. */
export const giveWay = async (
  clock: Clock,
  provisioning: (() => Promise<void> | undefined) | undefined,
  signal: AbortSignal,
): Promise<void> => {
  await sleep(clock, 0, signal)
  await provisioning?.()
}
