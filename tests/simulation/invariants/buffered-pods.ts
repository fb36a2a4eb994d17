import type { Environment } from '../environment/environment.ts'

/** The number of virtual pods of the largest buffer that a run may have. */
const MOST_BUFFERED = 4

/** Returns the maximum number of virtual pods of capacity buffers in a run. */
export const countBufferedPods = ({ run }: Environment): number =>
  run.objects.some(({ kind }) => kind === 'CapacityBuffer') ? MOST_BUFFERED : 0
