import type { MakeInvariant } from './invariant.ts'

/** At rest every pod runs or has ended: courses hold only pods that some pool without limits can take. */
export const podsRun: MakeInvariant = (world) => ({
  name: 'pods-run',
  rest: () =>
    world
      .pods()
      .filter(({ status }) => !['Running', 'Succeeded', 'Failed'].includes(status?.phase ?? ''))
      .map(
        ({ metadata, spec }) =>
          `pod ${metadata.name} waits${spec.nodeName === undefined ? '' : ` on ${spec.nodeName}`}`,
      ),
})
