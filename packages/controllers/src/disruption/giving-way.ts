import { type Clock, sleep } from '@kerf/runtime'

/** A computation yields to other work after this many nodes, which take a few milliseconds. */
export const NODES_PER_TURN = 250

/** Yields to other due work, and waits for the running decision about pending pods. */
export const giveWay = async (
  clock: Clock,
  provisioning: (() => Promise<void> | undefined) | undefined,
  signal: AbortSignal,
): Promise<void> => {
  await sleep(clock, 0, signal)
  await provisioning?.()
}
