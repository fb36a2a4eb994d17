import type { Pod } from '@kerf/apis'

/** A pod that runs on a node already. */
export const running = (on: string, each: Pod): Pod => ({
  ...each,
  spec: { ...each.spec, nodeName: on },
  status: { phase: 'Running' },
})
