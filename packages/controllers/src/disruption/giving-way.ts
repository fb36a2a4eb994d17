import { type Clock, sleep } from '@kerf/runtime'

/** The number of nodes after which a computation yields to other work. Handling that many nodes takes a few milliseconds. */
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
