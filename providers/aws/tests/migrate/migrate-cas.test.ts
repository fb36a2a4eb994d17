import { type KubeObject, nodePoolResource, resourceAdmission } from '@kerf/apis'
import { ec2NodeClassResource } from '@kerf/provider-aws/node-class'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import { exampleClusters } from './example-clusters.ts'

const NOW = Date.parse('2026-08-22T09:00:00Z')

const draft = async (cluster: (typeof exampleClusters)[number], variant: 'faithful' | 'merged' = 'faithful') =>
  draftMigration(await readSources(cluster.documents), { outputDir: 'out', variant }, NOW)

const objectsIn = (text: string | undefined): readonly KubeObject[] =>
  parseAllDocuments(text ?? '').map((document) => document.toJS() as KubeObject)

const admissionFor = (object: KubeObject) =>
  resourceAdmission<KubeObject>(object.kind === 'NodePool' ? nodePoolResource : ec2NodeClassResource)

for (const cluster of exampleClusters)
  for (const variant of ['faithful', 'merged'] as const)
    test(`${cluster.name}, ${variant}: the API server accepts the output, and every workload has a NodePool`, async () => {
      const { files, plan } = await draft(cluster, variant)
      for (const file of ['nodeclasses.yaml', 'nodepools.yaml', 'nodepools-open.yaml'])
        for (const object of objectsIn(files.get(file)))
          expect(admissionFor(object).create(object), `${file} ${object.metadata.name}`).toMatchObject({
            accepted: true,
            unknownFields: [],
          })
      expect(plan.questions.filter(({ message }) => message.includes('no NodePool'))).toEqual([])
      const moved = plan.phases.flatMap(({ steps }) => steps).filter((step) => step.do === 'patch')
      expect(moved.length).toBeGreaterThan(3)
      expect(parse(files.get('plan.yaml') ?? '')).toEqual(JSON.parse(JSON.stringify(plan)))
    })
