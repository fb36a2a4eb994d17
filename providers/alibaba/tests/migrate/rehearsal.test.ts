import { expect, test } from 'vitest'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { rehearsalProblems } from '../../../../packages/cli/src/migrate/rehearse/rehearsal-report.ts'
import { rehearseMigration } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import { drafted } from '../../../../tests/integration/migrate/drafted.ts'
import { workload } from '../../../../tests/integration/migrate/objects.ts'
import { ackCluster, ackPool } from './ack-pools.ts'

test('the migration of a cluster is rehearsed completely', async () => {
  const documents = [
    ackCluster,
    { nodepools: [ackPool('system', { sizes: { enable: false }, nodes: 2 }), ackPool('web', { nodes: 6 })] },
    workload({ namespace: 'shop', name: 'web', replicas: 12, cpu: '1500m', memory: '2Gi' }),
  ]
  const { plan, files } = await drafted(documents)
  const { types } = await openTypes({ instanceTypes: 'alibaba', region: 'cn-hangzhou' })
  // The NodePools allow only this instance type. The rehearsal is faster without the others.
  const instanceTypes = types.filter(({ name }) => name === 'ecs.g7.xlarge')
  const rehearsal = await rehearseMigration(
    { folder: 'out', plan: { ...plan, questions: [] }, files },
    { seed: 1, instanceTypes },
  )
  expect(rehearsalProblems(rehearsal)).toEqual([])
  expect(rehearsal.after).toMatchObject({ waiting: 0, groupNodes: 0 })
})
