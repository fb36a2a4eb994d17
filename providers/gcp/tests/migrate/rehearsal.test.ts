import { expect, test } from 'vitest'
import { rehearsalProblems } from '../../../../packages/cli/src/migrate/rehearse/rehearsal-report.ts'
import { rehearseMigration } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import { drafted } from '../../../../tests/integration/migrate/drafted.ts'
import { workload } from '../../../../tests/integration/migrate/objects.ts'
import { regionOffer } from '../../src/instance-type/region-offer.ts'
import { setUps } from './set-ups.ts'

test('the migration of a cluster is rehearsed completely', async () => {
  const [{ documents = [] } = {}] = setUps
  const { plan, files } = await drafted([
    ...documents,
    workload({ namespace: 'shop', name: 'web', replicas: 6, cpu: '1500m', memory: '2Gi' }),
  ])
  // The NodePools allow only this instance type. The rehearsal is faster without the others.
  const instanceTypes = regionOffer('europe-west1')
    .types()
    .filter(({ name }) => name === 'n2-standard-4')
  const rehearsal = await rehearseMigration(
    { folder: 'out', plan: { ...plan, questions: [] }, files },
    { seed: 1, instanceTypes },
  )
  expect(rehearsalProblems(rehearsal)).toEqual([])
  expect(rehearsal.after).toMatchObject({ waiting: 0, groupNodes: 0 })
})
