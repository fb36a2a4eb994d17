import { validateNodePool } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const pool018: Check = {
  id: 'POOL-018',
  group: 'pools',
  severity: 'critical',
  title: 'NodePools that the controller rejects',
  why: 'A NodePool launches nothing if it violates a rule that the API server does not check: its name is too long for a label value, a limit or duration cannot be parsed, or a startup taint is never removed.',
  reads: ['NodePool'],
  examine({ nodePools, vocabulary }) {
    const refused = nodePools.flatMap((pool) => {
      const { errors } = validateNodePool(pool, vocabulary)
      // Ignore errors about labels that an unknown provider may support. The ValidationSucceeded condition shows whether they are
      // valid.
      const known = errors.filter((error) => !/restricted|exists?;/.test(error))
      return known.length === 0 ? [] : [{ name: `NodePool ${pool.metadata.name}`, problem: known.join('; ') }]
    })
    return foundAny(
      refused.map(({ name }) => name),
      {
        seen: refused.map(({ problem }) => problem).join('; '),
        remedy: 'correct the named field',
      },
      'every NodePool passes the rules of the controller',
    )
  },
}
