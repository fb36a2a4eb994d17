import { ApiError, type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { listCluster } from './read-live-cluster.ts'

/** Returns a client for a cluster in which the user is not allowed to list one resource kind. */
const clusterWithout = (forbidden: string): KubeClient =>
  new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client({
    interceptor: {
      before: ({ verb, kind }) => {
        if (verb === 'list' && kind?.kind === forbidden)
          throw new ApiError({ code: 403, reason: 'Forbidden', message: `${kind.plural} is forbidden` })
      },
    },
  })

test('node classes that the user may not list are left out; for kinds that a plan needs, a missing permission is an error', async () => {
  const found = await listCluster(clusterWithout('KWOKNodeClass'), 'the cluster')
  expect(found.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toContain('Namespace default')
  await expect(listCluster(clusterWithout('Node'), 'the cluster')).rejects.toThrow('nodes is forbidden')
})
