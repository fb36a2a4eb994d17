import { type Clock, sleep } from '@kerf/runtime'

/** How many nodes may be looked at before other controllers get a turn: a few milliseconds of work. */
export const NODES_PER_TURN = 250

/** Lets whatever else is due go on, and a decision about pending pods come to its end. */
export const giveWay = async (
  clock: Clock,
  provisioning: (() => Promise<void> | undefined) | undefined,
  signal: AbortSignal,
): Promise<void> => {
  await sleep(clock, 0, signal)
  await provisioning?.()
}
