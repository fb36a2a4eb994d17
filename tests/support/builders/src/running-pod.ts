import type { Pod } from '@kerf/apis'

/** Returns a pod that already runs on a node. */
export const running = (on: string, each: Pod): Pod => ({
  ...each,
  spec: { ...each.spec, nodeName: on },
  status: { phase: 'Running' },
})
