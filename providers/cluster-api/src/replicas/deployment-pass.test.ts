import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { clusterApiAnnotations } from '../names.ts'
import { annotatedDeployment } from '../testing/deployment.ts'
import { DeploymentPass, type DeploymentRequest } from './deployment-pass.ts'
import { DeploymentRead } from './deployment-read.ts'
import type { DeploymentWrites } from './deployment-writes.ts'

test('when the maximum size leaves one Machine for three claims, the first claim waits and the others are refused', async () => {
  const deployment = annotatedDeployment({ [clusterApiAnnotations.maxSize]: '1' }, { replicas: 0 })
  const annotations = { [clusterApiAnnotations.machineDeployment]: `${deployment.namespace}/${deployment.name}` }
  const claims = ['a', 'b', 'c'].map((name) => nodeClaim(name, { metadata: { uid: name, annotations } }))
  const read = new DeploymentRead({ deployment, sets: [], machines: [] }, claims, 0)
  const writes = { scale: async () => undefined } as Partial<DeploymentWrites> as DeploymentWrites
  const pass = new DeploymentPass(read, { writes, now: 0, mayDelete: true, signal: new AbortController().signal })
  const requests = ['c', 'b', 'a'].map((uid): DeploymentRequest => ({ kind: 'create', uid }))
  await pass.run(requests)
  expect(requests.map((request) => pass.outcomes.get(request)?.kind)).toEqual(['full', 'full', 'waiting'])
})
