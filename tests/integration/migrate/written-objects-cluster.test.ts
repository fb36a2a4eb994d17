import { untilCrdsEstablished } from '@kerf/control-plane/established'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { setUps } from './set-up.ts'
import { draftSetUp, writtenObjects } from './written.ts'

describeOnCluster('the output of kerf migrate cas, in the dry run of a real API server', (cluster) => {
  beforeAll(async () => {
    const { kubectl } = cluster()
    const crds = allCrdFiles()
      .map(({ yaml }) => yaml)
      .join('\n---\n')
    const applied = await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], crds)
    expect([applied.code, applied.stderr]).toEqual([0, ''])
    await untilCrdsEstablished(kubectl)
  })

  test.each(setUps.map((setUp) => [setUp.name, setUp] as const))('%s', async (_name, setUp) => {
    const { kubectl } = cluster()
    for (const variant of ['faithful', 'merged'] as const) {
      const objects = writtenObjects(setUp, await draftSetUp(setUp, variant))
      for (const namespace of new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? [])))
        await kubectl(['create', 'namespace', namespace])
      const text = objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n')
      const { code, stdout, stderr } = await kubectl(
        ['create', '--dry-run=server', '--validate=strict', '-o', 'name', '-f', '-'],
        text,
      )
      expect([code, stderr.replaceAll(/^Warning.*\n/gm, '')]).toEqual([0, ''])
      expect(stdout.trim().split('\n')).toHaveLength(objects.length)
    }
  })
})
