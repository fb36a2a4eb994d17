import { type Clock, sleep } from '@kerf/runtime'

/** The number of nodes after which a computation yields to other work: a few milliseconds of work. */
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
