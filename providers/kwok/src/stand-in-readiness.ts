import { READY, setCondition } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, specSource } from '@kerf/runtime'
import type { StandIn } from './served-classes.ts'

/** The controller sets only the Ready condition. The other conditions concern cloud resources that do not exist in the simulation. */
const CONDITIONS = { dependents: [] }

/**
 * Returns a controller that sets the readiness of another provider's node classes, because that provider's own controllers do not run in
 * the simulation. A node class is ready unless those controllers would reject its spec.
 */
export const standInReadiness = ({ client, informers, clock }: ProviderContext, standIn: StandIn): Controller => {
  const { kind } = standIn
  const classes = informers.of(kind)
  return {
    name: `kwok.standin.${kind.kind.toLowerCase()}`,
    reconciles: kind,
    sources: [specSource(classes, ({ after }) => (after === undefined ? [] : [after.metadata.name]))],
    concurrency: 10,
    reconcile: async (name, signal) => {
      const nodeClass = classes.get(name)
      if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) return done()
      const { problems } = await standIn.offered(nodeClass)
      const change =
        problems.length === 0
          ? ({ type: READY, status: 'True', reason: 'Simulated', message: 'instances are simulated' } as const)
          : ({ type: READY, status: 'False', reason: 'ValidationFailed', message: problems.join('; ') } as const)
      const conditions = setCondition(CONDITIONS, nodeClass, change, clock.now())
      if (conditions === nodeClass.status?.conditions) return done()
      await client.patch(
        kind,
        { name },
        { type: 'merge', body: { status: { conditions } } },
        { subresource: 'status', signal },
      )
      return done()
    },
  }
}
