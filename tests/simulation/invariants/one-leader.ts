import type { MakeInvariant } from './invariant.ts'

/** With leader election, two replicas are never active at once. */
export const oneLeader: MakeInvariant = (environment) => ({
  name: 'one-leader',
  always: () => {
    const leaders = [...environment.processes.replicas].filter(({ leads }) => leads).length
    return leaders > 1 ? [`${leaders} replicas act at once`] : []
  },
})
